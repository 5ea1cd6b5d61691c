// Which asset a device is (MO-09): within the company, by serial number, then by MAC address, then by its host name at the
// same site. Where that is in doubt a person decides (MO-27).
import { normalised } from '@keelson/core';
import { hostKey, isSameHost, type Asset, type Identifiers } from '@keelson/modules/assets';
import type { MatchRule } from './entities.ts';
import type { Device } from './shapes.ts';

export type Identified = Pick<Device, 'serial_number' | 'mac_address' | 'hostname'>;

/** An asset that a device may be: one that there is, or one that is about to be added. */
export interface Candidate {
  asset: Asset | undefined;
  serial_number: string;
  mac_address: string;
  readonly machine_name: string;
  readonly site_number: number | null;
  /** The host names under which it was found. */
  readonly hosts: Set<string>;
}

/** The asset, the rule that says so, and the value that both have. */
export interface Match {
  readonly candidate: Candidate;
  readonly matched_by: MatchRule;
  readonly matched_value: string;
}

/** Why nobody but a person can tell, and the asset that it may be. */
export interface Doubt {
  readonly reason: string;
  readonly candidate: Candidate;
}

export interface Matcher {
  find(device: Identified): Match | Doubt | undefined;
  add(candidate: Candidate): void;
}

type Rule = 'serial_number' | 'mac_address' | 'hostname';
const rules: readonly Rule[] = ['serial_number', 'mac_address', 'hostname'];

export function matcherAt(site_number: number): Matcher {
  const known = new Map<string, Candidate[]>();
  const put = (rule: Rule, value: string, candidate: Candidate) => {
    const key = keyOf(rule, value);
    const there = known.get(key);
    if (value === '' || there?.includes(candidate)) return;
    if (there) there.push(candidate);
    else known.set(key, [candidate]);
  };
  return {
    add(candidate) {
      put('serial_number', candidate.serial_number, candidate);
      put('mac_address', candidate.mac_address, candidate);
      if (candidate.site_number !== site_number) return;
      for (const each of [candidate.machine_name, ...candidate.hosts]) put('hostname', each, candidate);
    },
    find(device) {
      for (const matched_by of rules) {
        const matched_value = device[matched_by] ?? '';
        const all = matched_value === '' ? [] : (known.get(keyOf(matched_by, matched_value)) ?? []);
        const fitting = all.filter((each) => fits[matched_by](device, each));
        // An asset of that name comes before those that were only found under it.
        const called =
          matched_by === 'hostname' ? fitting.filter((each) => isAmong([each.machine_name], matched_value)) : [];
        const may = called.length > 0 ? called : fitting;
        const [candidate] = may;
        if (!candidate) continue;
        const reason = doubtOf(matched_by, device, may);
        return reason === undefined ? { candidate, matched_by, matched_value } : { candidate, reason };
      }
      return undefined;
    },
  };
}

const keyOf = (rule: Rule, value: string): string =>
  `${rule} ${rule === 'hostname' ? hostKey(value) : normalised(value)}`;

/** Whether a candidate with the same value can be the device at all. */
const fits: Readonly<Record<Rule, (device: Identified, candidate: Candidate) => boolean>> = {
  serial_number: () => true,
  mac_address: (device, candidate) => !areTwo(device, candidate) && !hasOtherName(device, candidate),
  hostname: (device, candidate) => !areTwo(device, candidate) && hasName(device, candidate),
};

/** Two machines with serial numbers of their own are two, whatever else they share. */
function areTwo({ serial_number = '' }: Identified, candidate: Candidate): boolean {
  if (serial_number === '' || candidate.serial_number === '') return false;
  return normalised(serial_number) !== normalised(candidate.serial_number);
}

/** A docking station lends its MAC address to one laptop after another: host names that both were found under decide. */
function hasOtherName({ hostname = '' }: Identified, { hosts }: Candidate): boolean {
  return hostname !== '' && hosts.size > 0 && !isAmong([...hosts], hostname);
}

function hasName({ hostname = '' }: Identified, { machine_name, hosts }: Candidate): boolean {
  return isAmong([machine_name, ...hosts], hostname);
}

/** Of a host that was found with its domain, only that counts where the other name has one, too. */
function isAmong(names: readonly string[], hostname: string): boolean {
  const full = hostname.includes('.') ? names.filter((each) => each.includes('.')) : [];
  return (full.length > 0 ? full : names).some((each) => isSameHost(each, hostname));
}

function doubtOf(rule: Rule, { mac_address = '' }: Identified, may: readonly Candidate[]): string | undefined {
  const [first, ...others] = may;
  if (!first) return undefined;
  const value = rule === 'hostname' ? 'host name' : rule === 'mac_address' ? 'MAC address' : 'serial number';
  if (others.length > 0) return `${may.length} assets have its ${value}`;
  // Phones and small boards come with one name for all.
  if (rule === 'hostname' && mac_address !== '' && first.mac_address !== '' && mac_address !== first.mac_address)
    return 'An asset has its host name and another MAC address';
  return undefined;
}

/** What a device is compared with; `hosts` are the names under which the asset was found before. */
export function candidateOf(asset: Asset, { serialKey, mac }: Identifiers, hosts: Iterable<string> = []): Candidate {
  return {
    asset,
    serial_number: serialKey(asset.serial_number) === null ? '' : asset.serial_number,
    mac_address: mac(asset.mac_address),
    machine_name: asset.machine_name,
    site_number: asset.site_number,
    hosts: new Set(hosts),
  };
}
