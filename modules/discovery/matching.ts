// Which asset a device is (MO-09): within the company, by serial number, then by MAC address, then by its host name at the
// same site.
import { normalised } from '@keelson/core';
import type { Asset } from '@keelson/modules/assets';
import type { MatchRule } from './entities.ts';
import type { Device } from './shapes.ts';

export type Identifiers = Pick<Device, 'serial_number' | 'mac_address' | 'hostname'>;

/** An asset that a device may be: one that there is, or one that is about to be added. */
export interface Candidate {
  asset: Asset | undefined;
  serial_number: string;
  readonly mac_address: string;
  readonly machine_name: string;
  readonly site_number: number | null;
}

/** The asset, the rule that says so, and the value that both have. */
export interface Match {
  readonly candidate: Candidate;
  readonly matched_by: MatchRule;
  readonly matched_value: string;
}

export interface Matcher {
  find(device: Identifiers): Match | undefined;
  /** Of several with the same value the first is the one. */
  add(candidate: Candidate): void;
}

const rules = ['serial_number', 'mac_address', 'hostname'] as const;

export function matcherAt(site_number: number): Matcher {
  const known = new Map<string, Candidate>();
  const put = (rule: MatchRule, value: string, candidate: Candidate) => {
    const key = `${rule} ${normalised(value)}`;
    if (value !== '' && !known.has(key)) known.set(key, candidate);
  };
  return {
    add(candidate) {
      put('serial_number', candidate.serial_number, candidate);
      put('mac_address', candidate.mac_address, candidate);
      if (candidate.site_number === site_number) put('hostname', candidate.machine_name, candidate);
    },
    find(device) {
      for (const matched_by of rules) {
        const matched_value = device[matched_by] ?? '';
        const candidate = matched_value === '' ? undefined : known.get(`${matched_by} ${normalised(matched_value)}`);
        if (candidate && !areTwo(device, candidate)) return { candidate, matched_by, matched_value };
      }
      return undefined;
    },
  };
}

export const candidateOf = (asset: Asset): Candidate => ({
  asset,
  serial_number: asset.serial_number,
  mac_address: asset.mac_address,
  machine_name: asset.machine_name,
  site_number: asset.site_number,
});

/** Two machines with serial numbers of their own are two, whatever else they share. */
function areTwo({ serial_number = '' }: Identifiers, candidate: Candidate): boolean {
  if (serial_number === '' || candidate.serial_number === '') return false;
  return normalised(serial_number) !== normalised(candidate.serial_number);
}
