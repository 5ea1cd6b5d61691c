// How many unknown devices a collector may tell of on one day (MO-28): a token that is stolen, or a collector that goes wild,
// must not fill the lists of assets.
import { type Context } from '@keelson/core';
import type { Collector } from './entities.ts';
import { Collector as Collectors } from './entities.ts';
import { NewDevicesPerDay } from './settings.ts';

/** What is left of a day; shared by the batches of a sync. */
export interface Allowance {
  /** How many of these may become assets, and how many others may wait for a person. Asking again for a batch replaces its answer. */
  take(batch: object, wanted: number): { readonly added: number; readonly waiting: number };
  /** A batch that was not stored takes nothing. */
  giveBack(batch: object): void;
  readonly used: number;
}

/** Twice as many are stored as may be added; what comes after them is refused. */
const STORED = 2;

/** @param known of the collector, which is locked in the same transaction */
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

/** Notes what a sync has used; two of one collector at once are both counted. */
export async function noteUsed(ctx: Context, collector: Collector, used: number): Promise<void> {
  if (used === 0) return;
  const new_on = today(ctx);
  const before = collector.new_on === new_on ? collector.new_devices : 0;
  await ctx.db.update(Collectors, { collector_id: collector.collector_id }, { new_on, new_devices: before + used });
}

const today = ({ now }: Context): string => now.slice(0, 10);
