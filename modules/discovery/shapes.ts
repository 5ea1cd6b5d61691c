import { input, param, z } from '@keelson/core';
import { CollectorItem } from './collectors/collector-list.ts';
import { CollectorCommand } from './entities.ts';
import { PartAnswer } from './slots.ts';

/** Command in responses (F-63). */
export const CommandShape = CollectorCommand.shape;

/** Registration response, the only one that contains the token (A-35, S-15). */
export const Registered = z.object({
  success: z.literal(true),
  data: CollectorItem.shape.extend({ collector_token: z.string() }),
  message: z.string(),
});

const words = (max: number) => input.optionalText(max);
const port = z.int().min(1).max(65_535);

/** Device reported by a collector (MO-07). */
export const Device = z.object({
  hostname: words(255),
  ip_address: input.optionalIp(),
  mac_address: input.optionalMac(),
  serial_number: words(255),
  asset_type: words(100),
  manufacturer: words(255),
  model: words(255),
  operating_system: words(255),
  open_ports: input.optional(z.array(port).max(1000)),
  software: input.optional(
    z.array(z.object({ name: input.text(255), version: words(100), publisher: words(255) })).max(2000),
  ),
  /** Interfaces of a switch or router. */
  ports: input.optional(
    z
      .array(
        z.object({
          port_number: input.optional(input.int(0, 1_000_000)),
          port_name: words(255),
          port_type: words(100),
          mac_address: input.optionalMac(),
          speed_mbps: input.optional(input.int(0, 10_000_000)),
          status: input.optional(input.choice(['up', 'down', 'disabled', 'unknown'])),
        }),
      )
      .max(1000),
  ),
});
export type Device = z.output<typeof Device>;

/** Options of a sync besides the devices. */
export const syncOptions = z.object({
  job_id: param.id(),
  version: param.text(50),
  /** Available in JSON bodies only. */
  backups: z.array(z.unknown()).max(1000).optional(),
});

/** Sync response (MO-08). */
export const SyncAnswer = z.object({
  sync_status: z.enum(['completed', 'failed']),
  received: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Devices matched to an existing asset or to an earlier device of the report, with counts by rule. */
  merged: z.int(),
  merged_by: z.object({ serial_number: z.int(), mac_address: z.int(), hostname: z.int() }),
  /** Devices that await a manual decision. */
  waiting: z.int(),
  /** Devices whose asset was deleted. */
  seen_again: z.int(),
  /** Hosts known by address only. */
  addresses: z.int(),
  errors: z.array(z.object({ index: z.int(), error: z.string() })),
  /** Result for the backups, if any were sent. */
  backups: PartAnswer.optional(),
});
export type SyncAnswer = z.output<typeof SyncAnswer>;
