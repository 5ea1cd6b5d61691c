// What collectors report besides devices. The module that keeps it fills the slot.
import { z, type Context } from '@keelson/core';
import { slot } from '@keelson/core/plugin';
import type { Collector } from './entities.ts';

/** What became of the rows of a member of a sync. */
export const PartAnswer = z.object({
  received: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  errors: z.array(z.object({ index: z.int(), error: z.string() })),
});
export type PartAnswer = z.output<typeof PartAnswer>;

export type CollectorPlace = Pick<Collector, 'collector_id' | 'company_number' | 'site_number'>;

/** Keeps what a collector sends; it opens its own transactions. @throws invalid() */
type KeepPart = (outside: Context, from: CollectorPlace, rows: readonly unknown[]) => Promise<PartAnswer>;

/** Who keeps the backups that collectors report; null: nobody. */
export const CollectorBackups = slot('collector.backups', z.custom<KeepPart | null>(), null);
