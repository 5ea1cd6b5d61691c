// What makes a device the same one, and what tells that nothing about it has changed.
import { normalised } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import type { Device } from './shapes.ts';

/** Serial number, MAC address and host name together; undefined when it has none of them (MO-11). */
export function deviceKey({ serial_number = '', mac_address = '', hostname = '' }: Device): string | undefined {
  const parts = [normalised(serial_number), mac_address, normalised(hostname)];
  return parts.every((each) => each === '') ? undefined : tokenHash(JSON.stringify(parts));
}

export const contentHash = (device: Device): string => tokenHash(JSON.stringify(device));
