import { choice, day, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company, Site } from '@keelson/modules/directory';

export const collectorStates = ['registered', 'active', 'offline', 'revoked'] as const;
export const commandTypes = ['scan', 'sync', 'update_config', 'restart'] as const;
export const commandStates = ['pending', 'sent', 'completed', 'failed'] as const;
export const jobStates = ['queued', 'running', 'completed', 'failed'] as const;
/** How a device was matched (MO-09); `split` and `person` are manual decisions. */
export const matchRules = ['serial_number', 'mac_address', 'hostname', 'split', 'person'] as const;
/**
 * States of a result.
 * - `waiting`: a person must pick the asset
 * - `seen_again`: the asset was deleted
 * - `address`: only an address is known, as for hosts behind a router
 */
export const resultStates = ['new', 'matched', 'waiting', 'seen_again', 'address'] as const;
export type MatchRule = (typeof matchRules)[number];

/** `col_` and 12 characters (N-17). */
export const COLLECTOR_ID = 16;
const FreeKeys = z.record(z.string(), z.unknown());

/** Program in a customer's network that scans it (M-26). */
export const Collector = table(
  'collector',
  {
    collector_number: id().hidden(),
    collector_id: key(COLLECTOR_ID).unique(),
    company_number: ref(Company),
    site_number: ref(Site),
    name: text(255).default(''),
    status: choice(...collectorStates).default('registered'),
    version: text(50).default(''),
    last_seen_at: when().nullable(),
    sync_status: choice('never', 'in_progress', 'completed', 'failed').default('never'),
    last_sync_at: when().nullable(),
    config: json(FreeKeys),
    /** Null once revoked. */
    token_hash: key(64).nullable().unique().hidden(),
    /** The day that `new_devices` counts: unknown devices found that day. */
    new_on: day().nullable().hidden(),
    new_devices: int().default(0).hidden(),
    created_at: when(),
  },
  [
    ['site_number', 'status', 'last_seen_at'],
    ['status', 'last_seen_at'],
  ],
);
export type Collector = Row<typeof Collector>;

/** Requested scan or a sync (M-29). */
export const DiscoveryJob = table(
  'discovery_job',
  {
    job_id: id(),
    job_type: choice('scan', 'sync').default('scan').titled('Type'),
    company_number: ref(Company),
    site_number: ref(Site),
    collector_id: key(COLLECTOR_ID).nullable(),
    scan_type: text(32).default(''),
    subnet: text(50).default(''),
    status: choice(...jobStates).default('queued'),
    devices_found: int().default(0),
    error: text().nullable(),
    created_at: when(),
    started_at: when().nullable(),
    finished_at: when().nullable(),
  },
  [
    ['created_at', 'job_id'],
    ['company_number', 'created_at', 'job_id'],
    ['site_number', 'created_at', 'job_id'],
    ['status', 'created_at', 'job_id'],
  ],
);
export type DiscoveryJob = Row<typeof DiscoveryJob>;

/** Command for a collector (M-27). If it names no collector, the first one of the site to poll takes it (MO-16). */
export const CollectorCommand = table(
  'collector_command',
  {
    command_id: id(),
    collector_id: key(COLLECTOR_ID).nullable().hidden(),
    company_number: ref(Company).hidden(),
    site_number: ref(Site).hidden(),
    job_id: ref(DiscoveryJob).nullable().hidden(),
    command_type: choice(...commandTypes),
    parameters: json(FreeKeys),
    status: choice(...commandStates).default('pending'),
    /** Number of times sent. */
    attempts: int().default(0).hidden(),
    created_at: when(),
    sent_at: when().nullable(),
    completed_at: when().nullable(),
    result: json(FreeKeys).nullable(),
    error: text().nullable(),
  },
  [
    ['collector_id', 'status', 'command_id'],
    ['site_number', 'status', 'command_id'],
    ['status', 'sent_at'],
    ['job_id'],
  ],
);
export type CollectorCommand = Row<typeof CollectorCommand>;

/**
 * Device as last seen at a site, with its asset and how it was matched. A device found again updates its row, so
 * results do not grow with every scan.
 */
export const DiscoveryResult = table(
  'discovery_result',
  {
    result_id: id(),
    /** The last scan that found it; null if seen only in syncs. */
    job_id: ref(DiscoveryJob).nullable(),
    company_number: ref(Company),
    site_number: ref(Site),
    ip_address: text(45).default(''),
    mac_address: text(17).default(''),
    hostname: text(255).default(''),
    serial_number: text(255).default(''),
    vendor: text(255).default(''),
    operating_system: text(255).default(''),
    open_ports: json(z.array(z.int())),
    asset_id: int().nullable(),
    state: choice(...resultStates),
    /** Why a manual decision is needed. */
    reason: text(255).default(''),
    /** Suggested asset. */
    suggested_asset_id: int().nullable(),
    /** Host name without its domain, in lower case. */
    host_key: key(63).default('').hidden(),
    /** Sort key of the IP address. */
    address_key: key(33).default('').hidden(),
    matched_by: choice(...matchRules).nullable(),
    /** The matching value, such as the MAC address. */
    matched_value: text(255).default(''),
    /** Hash of serial number, MAC address and host name that identifies the device. */
    device_key: key(64).hidden(),
    /** Hash of the full report; while it is unchanged, a sync skips the device. */
    content_hash: key(64).hidden(),
    discovered_at: when(),
  },
  [
    ['discovered_at', 'result_id'],
    ['company_number', 'discovered_at', 'result_id'],
    ['site_number', 'discovered_at', 'result_id'],
    ['job_id', 'discovered_at', 'result_id'],
    ['state', 'discovered_at', 'result_id'],
    ['company_number', 'state', 'address_key'],
    ['asset_id', 'result_id'],
    ['site_number', 'host_key'],
  ],
  { unique: [['site_number', 'device_key']] },
);
export type DiscoveryResult = Row<typeof DiscoveryResult>;
