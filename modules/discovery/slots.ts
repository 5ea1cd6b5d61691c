// Slots for other data that collectors report; the module that stores it fills the slot.
import { z, type Context } from '@keelson/core';
import { slot } from '@keelson/core/plugin';
import type { Collector } from './entities.ts';

/** Result for one part of a sync. */
export const PartAnswer = z.object({
  received: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  errors: z.array(z.object({ index: z.int(), error: z.string() })),
});
export type PartAnswer = z.output<typeof PartAnswer>;

export type CollectorPlace = Pick<Collector, 'collector_id' | 'company_number' | 'site_number'>;

/** Stores part of a sync in its own transactions. @throws invalid() */
type KeepPart = (outside: Context, from: CollectorPlace, rows: readonly unknown[]) => Promise<PartAnswer>;

/** Handler that stores reported backups; null without one. */
export const CollectorBackups = slot('collector.backups', z.custom<KeepPart | null>(), null);
