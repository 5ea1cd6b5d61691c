// Matching of devices to assets (MO-09): within the company, by serial number, then MAC address, then host name at the
// same site. Ambiguous cases are left to a person (MO-27).
import { normalised } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { hostKey, isSameHost, type Asset, type Identifiers } from '@keelson/modules/assets';
import type { MatchRule } from '../entities.ts';
import type { Device } from '../shapes.ts';

export type Identified = Pick<Device, 'serial_number' | 'mac_address' | 'hostname'>;

/** Possible asset of a device: an existing one, or one about to be added. */
export interface Candidate {
  asset: Asset | undefined;
  serial_number: string;
  mac_address: string;
  readonly machine_name: string;
  /** True if it can be matched by host name: it is at the site, at no site, or was found at the site. */
  readonly here: boolean;
  /** Host names it was found under. */
  readonly hosts: Set<string>;
}

/** The asset, the matching rule and the shared value. */
export interface Match {
  readonly candidate: Candidate;
  readonly matched_by: MatchRule;
  readonly matched_value: string;
}

/** Why a manual decision is needed, and the suggested asset. */
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

export function createMatcher(): Matcher {
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
      if (!candidate.here) return;
      for (const each of [candidate.machine_name, ...candidate.hosts]) put('hostname', each, candidate);
    },
    find(device) {
      for (const matched_by of rules) {
        const matched_value = device[matched_by] ?? '';
        const all = matched_value === '' ? [] : (known.get(keyOf(matched_by, matched_value)) ?? []);
        const fitting = all.filter((each) => fits[matched_by](device, each));
        // An asset with that name takes precedence over assets merely found under it.
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

/** Checks that a candidate with the same value can be the same device. */
const fits: Readonly<Record<Rule, (device: Identified, candidate: Candidate) => boolean>> = {
  serial_number: () => true,
  mac_address: (device, candidate) => !areTwo(device, candidate) && !hasOtherName(device, candidate),
  hostname: (device, candidate) => !areTwo(device, candidate) && hasName(device, candidate),
};

/** Two different serial numbers mean two machines, whatever else they share. */
function areTwo({ serial_number = '' }: Identified, candidate: Candidate): boolean {
  if (serial_number === '' || candidate.serial_number === '') return false;
  return normalised(serial_number) !== normalised(candidate.serial_number);
}

/** Docking stations lend one MAC address to several laptops, so conflicting host names rule out a match. */
function hasOtherName({ hostname = '' }: Identified, { hosts }: Candidate): boolean {
  return hostname !== '' && hosts.size > 0 && !isAmong([...hosts], hostname);
}

function hasName({ hostname = '' }: Identified, { machine_name, hosts }: Candidate): boolean {
  return isAmong([machine_name, ...hosts], hostname);
}

/** A fully qualified host name is compared only with other fully qualified names, if there are any. */
function isAmong(names: readonly string[], hostname: string): boolean {
  const full = hostname.includes('.') ? names.filter((each) => each.includes('.')) : [];
  return (full.length > 0 ? full : names).some((each) => isSameHost(each, hostname));
}

function doubtOf(rule: Rule, { mac_address = '' }: Identified, may: readonly Candidate[]): string | undefined {
  const [first, ...others] = may;
  if (!first) return undefined;
  if (others.length > 0) {
    if (rule === 'hostname') return explained(`${may.length} assets have the same host name`);
    if (rule === 'mac_address') return explained(`${may.length} assets have the same MAC address`);
    return explained(`${may.length} assets have the same serial number`);
  }
  // Phones and small boards often share a default name.
  if (rule === 'hostname' && mac_address !== '' && first.mac_address !== '' && mac_address !== first.mac_address)
    return explained('An asset has the same host name but a different MAC address');
  return undefined;
}

export interface FoundName {
  readonly hostname: string;
  readonly site_number: number;
}

/** Builds a candidate at a site; `found` are the names the asset was found under. */
export function candidateOf(
  asset: Asset,
  { serialKey, mac }: Identifiers,
  { site_number, found }: { readonly site_number: number; readonly found: readonly FoundName[] },
): Candidate {
  return {
    asset,
    serial_number: serialKey(asset.serial_number) === null ? '' : asset.serial_number,
    mac_address: mac(asset.mac_address),
    machine_name: asset.machine_name,
    here: (asset.site_number ?? site_number) === site_number || found.some((each) => each.site_number === site_number),
    hosts: new Set(found.map(({ hostname }) => hostname)),
  };
}
