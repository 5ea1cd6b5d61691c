import { choice, day, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company, Site } from '@keelson/modules/directory';

export const collectorStates = ['registered', 'active', 'offline', 'revoked'] as const;
export const commandTypes = ['scan', 'sync', 'update_config', 'restart'] as const;
export const commandStates = ['pending', 'sent', 'completed', 'failed'] as const;
export const jobStates = ['queued', 'running', 'completed', 'failed'] as const;
/** What a device was recognised by (MO-09); a person may have split it from another (`split`), or decided (`person`). */
export const matchRules = ['serial_number', 'mac_address', 'hostname', 'split', 'person'] as const;
/**
 * `waiting`: a person decides which asset it is. `seen_again`: its asset was deleted. `address`: nothing but an address is
 * known of it, as of hosts behind a router.
 */
export const resultStates = ['new', 'matched', 'waiting', 'seen_again', 'address'] as const;
export type MatchRule = (typeof matchRules)[number];

/** `col_` and 12 characters (N-17). */
export const COLLECTOR_ID = 16;
const FreeKeys = z.record(z.string(), z.unknown());

/** A program in a customer's network that scans it (M-26). */
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
    /** Null once it is revoked. */
    token_hash: key(64).nullable().unique().hidden(),
    /** The day of `new_devices`, which counts what it has found on that day and nobody knew. */
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

/** A scan that somebody asked for, or a sync (M-29). */
export const DiscoveryJob = table(
  'discovery_job',
  {
    job_id: id(),
    job_type: choice('scan', 'sync').default('scan'),
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

/** What a collector is to do (M-27). Without a collector it is for the first one of the site that asks (MO-16). */
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
    /** How often it was sent. */
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
 * A device as it was last seen at a site, the asset that it is, and how it was recognised. The same device again is the
 * same row, so that results do not grow with every scan.
 */
export const DiscoveryResult = table(
  'discovery_result',
  {
    result_id: id(),
    /** The last scan that found it; null when it only came with syncs. */
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
    /** Why a person is to decide. */
    reason: text(255).default(''),
    /** The asset that it may be. */
    suggested_asset_id: int().nullable(),
    /** The IP address in the order of addresses. */
    address_key: key(33).default('').hidden(),
    matched_by: choice(...matchRules).nullable(),
    /** The value that both have in common, such as the MAC address. */
    matched_value: text(255).default(''),
    /** Hash of serial number, MAC address and hostname: what makes it the same device. */
    device_key: key(64).hidden(),
    /** Hash of everything that was reported; as long as it stays, a sync has nothing to do. */
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
  ],
  { unique: [['site_number', 'device_key']] },
);
export type DiscoveryResult = Row<typeof DiscoveryResult>;
