import { announceChange, type Context, type Table } from '@keelson/core';

/** Announces to a technician's open pages that their own data in this table has changed. */
export function announceOwn(ctx: Context, of: Table, user_id: number): void {
  announceChange(ctx, { of, row: { [of.primary]: user_id }, kind: 'changed', internal: true });
}
