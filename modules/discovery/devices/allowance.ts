// Daily limit on unknown devices per collector (MO-28), so that a stolen token or a faulty collector cannot flood the
// asset lists.
import { type Context } from '@keelson/core';
import type { Collector } from '../entities.ts';
import { Collector as Collectors } from '../entities.ts';
import { NewDevicesPerDay } from '../settings.ts';

/** The remaining daily allowance; shared by the batches of a sync. */
export interface Allowance {
  /**
   * Returns how many of these may become assets, and how many more may be queued for review. A repeated call for a
   * batch replaces its earlier result.
   */
  take(batch: object, wanted: number): { readonly added: number; readonly waiting: number };
  /** Releases the share of a batch that was not stored. */
  giveBack(batch: object): void;
  readonly used: number;
}

/** Up to twice the limit may be stored; further devices are rejected. */
const STORED = 2;

/**
 * @param known the collector, locked in the same transaction
 */
export async function openAllowance(
  ctx: Context,
  { new_on, new_devices }: Pick<Collector, 'new_on' | 'new_devices'>,
): Promise<Allowance> {
  const most = await ctx.app.settings.get(ctx, NewDevicesPerDay);
  const before = new_on === today(ctx) ? new_devices : 0;
  const taken = new Map<object, number>();
  const used = () => [...taken.values()].reduce((sum, each) => sum + each, 0);
  return {
    take(batch, wanted) {
      taken.delete(batch);
      const at = before + used();
      const added = Math.min(wanted, Math.max(0, most - at));
      const waiting = Math.min(wanted - added, Math.max(0, most * STORED - at - added));
      taken.set(batch, added + waiting);
      return { added, waiting };
    },
    giveBack: (batch) => void taken.delete(batch),
    get used() {
      return used();
    },
  };
}

/** Adds a sync's usage to the collector's total. Concurrent syncs of one collector both count. */
export async function noteUsed(ctx: Context, collector: Collector, used: number): Promise<void> {
  if (used === 0) return;
  const new_on = today(ctx);
  const before = collector.new_on === new_on ? collector.new_devices : 0;
  await ctx.db.update(Collectors, { collector_id: collector.collector_id }, { new_on, new_devices: before + used });
}

const today = ({ now }: Context): string => now.slice(0, 10);
