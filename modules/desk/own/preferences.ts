// Console preferences of a technician, the same on every device.
import { input, invalid, z } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import type { Desk } from '../access.ts';
import { densities, mailChoices, Preference, themes, type PreferenceValues } from '../entities.ts';
import { announceOwn } from './announce-own.ts';

const MOST_BYTES = 16 * 1024;
const MOST_LISTS = 100;
const MOST_COLUMNS = 40;
const MOST_KEYS = 200;
const MOST_PINS = 30;

export type Preferences = z.output<typeof PreferenceValues>;

const usual: Preferences = {
  theme: 'system',
  density: 'compact',
  single_keys: true,
  columns: {},
  keys: {},
  pins: [],
  mails: 'none',
};

const few = (most: number) =>
  [(given: object) => Object.keys(given).length <= most, `must have at most ${most} entries`] as const;

export const preferenceChanges = input.changes({
  theme: input.choice(themes),
  density: input.choice(densities),
  single_keys: input.flag(),
  columns: z.record(input.text(64), z.array(input.text(64)).max(MOST_COLUMNS)).refine(...few(MOST_LISTS)),
  pins: z
    .array(
      z.object({
        path: input.text(500).refine((path) => /^\/(?!\/)/.test(path), 'must be a path, such as /tickets'),
        title: input.text(120),
      }),
    )
    .max(MOST_PINS, `must contain at most ${MOST_PINS} pins`),
  mails: input.choice(mailChoices),
  keys: z.record(input.text(64), z.string().trim().max(40)).refine(...few(MOST_KEYS)),
});

/** Returns the caller's preferences, with defaults for the rest. */
export async function readPreferences({ db, actor: { user_id } }: Desk): Promise<Preferences> {
  return { ...usual, ...(await db.findOneBy(Preference, { user_id }))?.values };
}

/** Replaces the given preferences, each as a whole. @throws invalid() when they become too large */
export async function changePreferences(ctx: Desk, wanted: z.output<typeof preferenceChanges>): Promise<Preferences> {
  const { user_id } = ctx.actor;
  const known = await ctx.db.findOne(Preference, { where: { user_id }, lock: { mode: 'pessimistic_write' } });
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const values: Preferences = { ...usual, ...known?.values, ...given };
  if (Buffer.byteLength(JSON.stringify(values)) > MOST_BYTES)
    throw invalid(`Preferences must be at most ${MOST_BYTES / 1024} KB`);
  await ctx.db.upsert(Preference, { user_id, values, updated_at: ctx.now }, ['user_id']);
  if (values.mails !== known?.values.mails) changed(ctx, Preference);
  announceOwn(ctx, Preference, user_id);
  return values;
}
