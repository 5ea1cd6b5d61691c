import { dayOf, IsNull, LessThanOrEqual, MoreThan, plus, sendMail, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { worded } from '@keelson/core/plugin';
import { Technician } from '@keelson/modules/directory';
import { ApiKey } from '../entities.ts';
import { KeyExpiring } from '../mail-templates.ts';
import type { KeyRow } from './keys.ts';

const BEFORE = { days: 7 } as const;

/**
 * Mails the administrators once about each key that expires within a week.
 * @throws AggregateError naming the keys that failed, once the others are done
 */
export async function warnOfKeys(outside: Context): Promise<void> {
  const soon = { revoked_at: IsNull(), warned_at: IsNull(), expires_at: LessThanOrEqual(plus(outside.now, BEFORE)) };
  const keys = await outside.db.find(ApiKey, { where: soon, order: { key_id: 'ASC' } });
  await eachApart(
    keys,
    ({ name }) => `key ${name}`,
    (key) => outside.transaction((ctx) => warn(ctx, key)),
  );
}

async function warn(ctx: Context, { key_id, name, prefix, expires_at, last_used_at }: KeyRow): Promise<void> {
  const unwarned = { key_id, warned_at: IsNull(), revoked_at: IsNull(), expires_at: MoreThan(ctx.now) };
  if (expires_at === null || (await ctx.db.update(ApiKey, unwarned, { warned_at: ctx.now })).affected === 0) return;
  const data = {
    key_name: name,
    key_prefix: prefix,
    expires_on: { day: dayOf(expires_at) },
    last_used: last_used_at ? { day: dayOf(last_used_at) } : worded('never'),
  };
  const administrators = { role: 'administrator', active: true, deleted_at: IsNull() } as const;
  for (const { name: recipient, email } of await ctx.db.findBy(Technician, administrators))
    sendMail(ctx, KeyExpiring, { to: { name: recipient, address: email }, data });
}
