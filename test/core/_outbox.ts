// Shared helpers of the outbox tests: an outbox on a database, without the rest of an application.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import type { App } from '../../core/plugin/app.ts';
import { contextOf, type Context } from '../../core/plugin/context.ts';
import { event, subscriber, type Subscriber } from '../../core/plugin/declaration/declare.ts';
import core from '../../migrations/1763600000000-core.ts';
import { openDatabase, type OpenDatabase } from '../../packages/database/database.ts';
import { migrate, migration } from '../../packages/database/migration/migrate.ts';
import { id, key, table } from '../../packages/database/schema/table.ts';
import { Delivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { createOutbox, type Outbox, type OutboxOptions } from '../../packages/events/delivery/outbox.ts';
import type { Occurrence } from '../../packages/events/event.ts';
import { plus, systemClock, type Clock, type Span } from '../../packages/kit/time.ts';
import { theSystem } from '../../packages/log/activity.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

export const Effect = table('effect', { effect_id: id(), subscriber: key(100), event_id: key(40) });
export const Opened = event('door.opened', z.object({ door: z.int() }));

export const quiet = pino({ level: 'silent' });
export const tables = [StoredEvent, Delivery, Effect];

export interface World {
  readonly outbox: Outbox;
  readonly database: OpenDatabase;
  /** Commits one event per number. */
  readonly open: (...doors: number[]) => Promise<void>;
  readonly wait: (span: Span) => void;
  readonly now: () => string;
  readonly effects: (name?: string) => Promise<number>;
}

type More = Partial<Pick<OutboxOptions, 'deadlineSeconds' | 'receivers' | 'clock' | 'keepAll'>>;

/** Returns a subscriber that writes an effect for each event, after `before`. */
export function witness(name: string, before: (occurrence: Occurrence<unknown>) => Promise<void> = async () => {}) {
  return subscriber(name, Opened, async (ctx, occurrence) => {
    await before(occurrence);
    await ctx.db.insert(Effect, { subscriber: name, event_id: occurrence.event_id });
  });
}

export async function newDatabase(): Promise<OpenDatabase> {
  return openTestDatabase(tables);
}

export function world(database: OpenDatabase, subscribers: readonly Subscriber[], more: More = {}): World {
  let now = '2026-03-02T09:00:00.000Z';
  const clock: Clock = more.clock ?? { now: () => now };
  // The parts of an application that a context uses.
  const app: Partial<App> = { database, clock: { ...systemClock, ...clock }, log: quiet };
  const makeContext = (): Context<undefined> => contextOf({ app: app as App, actor: undefined, author: theSystem });
  const outbox = createOutbox({
    database,
    clock,
    log: quiet,
    subscribers: () => subscribers,
    application: () => app,
    makeContext,
    refresh: () => Promise.resolve(),
    ...more,
  });
  return {
    outbox,
    database,
    open: async (...doors) => {
      for (const door of doors) {
        await database.transaction(async (tx) => outbox.store(tx, Opened, { door }, { now: clock.now() }));
      }
    },
    wait: (span) => void (now = plus(now, span)),
    now: () => clock.now(),
    effects: (name) => database.countBy(Effect, name === undefined ? {} : { subscriber: name }),
  };
}

/** Opens two handles on one database, like two processes. */
export async function twoDatabases(): Promise<{ one: OpenDatabase; two: OpenDatabase; close: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL'];
  const common = { tables, log: { warn: () => {} }, pool: 10, deadlineMs: 60_000 };
  if (server) {
    const one = await openTestDatabase(tables);
    const [row] = await one.query<{ name: string }>({ text: 'SELECT DATABASE() AS name', params: [] });
    const two = await openDatabase({ ...common, url: new URL(row?.name ?? '', server).href, file: '' });
    return { one, two, close: () => two.close().then(() => one.close()) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'keelson-'));
  const options = { ...common, url: undefined, file: join(folder, 'test.db') };
  const [one, two] = [await openDatabase(options), await openDatabase(options)];
  await migrate(one, [
    core,
    migration('1763700000001-effects', async (m) => void (await m.createTable('effect', Effect.columns))),
  ]);
  const close = async () => {
    await one.close();
    await two.close();
    rmSync(folder, { recursive: true });
  };
  return { one, two, close };
}
