// What makes a device the same one, and what tells that nothing about it has changed.
import { normalised } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import type { Identifiers } from '@keelson/modules/assets';
import type { Device } from './shapes.ts';

/**
 * Serial number, MAC address and host name together, or else the address alone; undefined when it has none of them
 * (MO-11, MO-26).
 */
export function deviceKey({ serial_number = '', mac_address = '', hostname = '', ip_address = '' }: Device) {
  const parts = [normalised(serial_number), mac_address, normalised(hostname)];
  if (parts.some((each) => each !== '')) return tokenHash(JSON.stringify(parts));
  return ip_address === '' ? undefined : tokenHash(JSON.stringify(['address', ip_address]));
}

/** A device of which nothing is known but where it answers. */
export const isAddress = ({ serial_number = '', mac_address = '', hostname = '' }: Device): boolean =>
  serial_number === '' && mac_address === '' && hostname === '';

/** The device without the values that identify nothing (MO-30). */
export function identified(device: Device, { serialKey, mac }: Identifiers): Device {
  const { serial_number = '', mac_address = '' } = device;
  return {
    ...device,
    ...(serial_number !== '' && serialKey(serial_number) === null && { serial_number: '' }),
    ...(mac_address !== '' && { mac_address: mac(mac_address) }),
  };
}

export const contentHash = (device: Device): string => tokenHash(JSON.stringify(device));
