// Keys that identify a device and detect changes to it.
import { normalised } from '@keelson/core';
import { readAddress } from '@keelson/core/kit';
import { tokenHash } from '@keelson/core/system';
import { isPlaceholderHost, type Identifiers } from '@keelson/modules/assets';
import type { Device } from '../shapes.ts';

/**
 * Returns a hash of serial number, MAC address and host name, or else of the IP address; undefined if it has none
 * (MO-11, MO-26).
 */
export function deviceKey({ serial_number = '', mac_address = '', hostname = '', ip_address = '' }: Device) {
  const parts = [normalised(serial_number), mac_address, normalised(hostname)];
  if (parts.some((each) => each !== '')) return tokenHash(JSON.stringify(parts));
  return ip_address === '' ? undefined : tokenHash(JSON.stringify(['address', ip_address]));
}

/** Only the IP address of the device is known. */
export const isAddress = ({ serial_number = '', mac_address = '', hostname = '' }: Device): boolean =>
  serial_number === '' && mac_address === '' && hostname === '';

/** Returns the device without values that are not unique identifiers (MO-30). */
export function identified(device: Device, { serialKey, mac }: Identifiers): Device {
  const { serial_number = '', mac_address = '', hostname = '', ip_address = '' } = device;
  return {
    ...device,
    ...(hostname !== '' && isPlaceholderHost(hostname) && { hostname: '' }),
    ...(ip_address === '' && { ip_address: readAddress(hostname) ?? '' }),
    ...(serial_number !== '' && serialKey(serial_number) === null && { serial_number: '' }),
    ...(mac_address !== '' && { mac_address: mac(mac_address) }),
  };
}

/** Merges several entries of a report about the same device; later values win. */
export function combined(earlier: Device, later: Device): Device {
  const given = Object.entries(later).filter(([, value]) => value !== undefined && value !== '');
  return { ...earlier, ...Object.fromEntries(given) };
}

export const contentHash = (device: Device): string => tokenHash(JSON.stringify(device));
