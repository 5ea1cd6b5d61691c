import { announceChange, type Context, type Table } from '@keelson/core';

/** Tells a technician's open pages that something of theirs in this table has changed. */
export function announceOwn(ctx: Context, of: Table, user_id: number): void {
  announceChange(ctx, { of, row: { [of.primary]: user_id }, kind: 'changed', internal: true });
}
