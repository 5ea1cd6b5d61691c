// The browsers in which a technician is notified.
import { createHash } from 'node:crypto';
import { In, input, invalid, notFound, z } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import type { Desk } from '../access.ts';
import { PushSubscription } from './entities.ts';
import { keyPair } from './keys.ts';
import type { Browser } from './web-push.ts';

/** Maximum per technician; adding another removes the oldest. */
const MOST = 10;

export const PushShape = z.object({
  public_key: z.string(),
  subscriptions: z.array(
    z.object({
      subscription_id: z.int(),
      device: z.string(),
      created_at: z.iso.datetime(),
      delivered_at: z.iso.datetime().nullable(),
    }),
  ),
});

/** Keys are base64url: an uncompressed P-256 point of 65 bytes, and 16 bytes. */
const keyOf = (bytes: number) =>
  input.text(128).refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes, {
    error: 'must be the key that the browser generated',
  });

export const newSubscription = z.object({
  endpoint: input.text(2000),
  p256dh: keyOf(65),
  auth: keyOf(16),
  device: input.text(100),
});
type NewSubscription = z.output<typeof newSubscription>;

/** Returns the caller's browsers, and the key with which another one can be added. */
export async function showPush(ctx: Desk): Promise<z.infer<typeof PushShape>> {
  const { user_id } = ctx.actor;
  const found = await ctx.db.find(PushSubscription, { where: { user_id }, order: { subscription_id: 'ASC' } });
  return {
    public_key: keyPair(ctx.app).publicKey,
    subscriptions: found.map(({ subscription_id, device, created_at, delivered_at }) => ({
      subscription_id,
      device,
      created_at,
      delivered_at,
    })),
  };
}

/** Adds the caller's browser. One that was another technician's is only theirs afterwards. */
export async function subscribe(ctx: Desk, { device, ...browser }: NewSubscription): Promise<void> {
  const { user_id, session_id } = ctx.actor;
  const problem = ctx.app.egress.check(browser.endpoint);
  if (problem !== undefined) throw invalid(`endpoint: ${problem}`);
  const endpoint_hash = createHash('sha256').update(browser.endpoint).digest('hex');
  const technician = await ctx.db.findOne(Technician, { where: { user_id }, lock: { mode: 'pessimistic_write' } });
  if (!technician) throw notFound('Technician');
  await ctx.db.delete(PushSubscription, { endpoint_hash });
  const known = await ctx.db.find(PushSubscription, { where: { user_id }, order: { subscription_id: 'DESC' } });
  const surplus = known.slice(MOST - 1).map((each) => each.subscription_id);
  await ctx.db.delete(PushSubscription, { subscription_id: In(surplus) });
  await ctx.db.insert(PushSubscription, {
    user_id,
    session_id,
    access_version: technician.access_version,
    endpoint_hash,
    sealed: ctx.app.vault.seal(JSON.stringify(browser), endpoint_hash),
    device,
    created_at: ctx.now,
  });
  record(ctx, `Notifications turned on in ${device}`);
}

/** Removes one of the caller's browsers. @throws notFound() */
export async function unsubscribe(ctx: Desk, subscription_id: number): Promise<void> {
  const found = await ctx.db.findOneBy(PushSubscription, { subscription_id, user_id: ctx.actor.user_id });
  if (!found) throw notFound('Browser');
  await ctx.db.delete(PushSubscription, { subscription_id });
  record(ctx, `Notifications turned off in ${found.device}`);
}

function record(ctx: Desk, description: string): void {
  ctx.record({ action: 'update', entity_type: 'technician', entity_id: ctx.actor.user_id, description });
}

/** Returns a browser's address and keys. */
export const browserOf = ({ app }: Pick<Desk, 'app'>, { sealed, endpoint_hash }: PushSubscription): Browser =>
  JSON.parse(app.vault.open(sealed, endpoint_hash)) as Browser;
