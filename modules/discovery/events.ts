import { event, z } from '@keelson/core';
import { collectorStates, commandTypes } from './entities.ts';

/** Emitted after a sync (EV-14). */
export const CollectorSynced = event(
  'collector.sync',
  z.object({
    collector_id: z.string(),
    company_number: z.int(),
    site_number: z.int(),
    sync_status: z.enum(['completed', 'failed']),
    received: z.int(),
    created: z.int(),
    updated: z.int(),
    last_sync_at: z.iso.datetime(),
  }),
  { webhook: 'admin' },
);

const whose = { collector_id: z.string(), company_number: z.int(), site_number: z.int() };

/** Emitted when a collector goes offline, returns or is revoked (M-26). */
export const CollectorMoved = event(
  'discovery.collector-moved',
  z.object({ ...whose, name: z.string(), status: z.enum(collectorStates), last_seen_at: z.iso.datetime().nullable() }),
);

/** Emitted when a command ends (M-27). */
export const CommandEnded = event(
  'discovery.command-ended',
  z.object({
    ...whose,
    collector_id: z.string().nullable(),
    command_id: z.int(),
    command_type: z.enum(commandTypes),
    /** For a scan, the network to scan. */
    subnet: z.string(),
    failed: z.boolean(),
    error: z.string(),
  }),
);
