// Maps a device to asset fields, for new and for existing assets (MO-10, MO-12).
import type { Context } from '@keelson/core';
import type { Asset, FoundAsset, Identifiers } from '@keelson/modules/assets';
import type { Device } from '../shapes.ts';

export function foundAsset(
  ctx: Context,
  place: { readonly company_number: number; readonly site_number: number },
  device: Device,
): FoundAsset {
  const { hostname, serial_number, mac_address, ip_address, asset_type, manufacturer, model, operating_system } =
    device;
  return {
    ...place,
    machine_name: hostname || serial_number || mac_address || ip_address || 'Device',
    serial_number,
    mac_address,
    ip_address,
    asset_type,
    manufacturer,
    model,
    operating_system,
    last_seen_at: ctx.now,
  };
}

const blanks = ['serial_number', 'asset_type', 'manufacturer', 'model', 'operating_system'] as const;

/** Fills blank fields and refreshes addresses. Values entered by people are kept. */
export function filledIn(asset: Asset, device: Device, { serialKey }: Identifiers) {
  const isBlank = (each: (typeof blanks)[number]) =>
    asset[each] === '' || (each === 'serial_number' && serialKey(asset.serial_number) === null);
  const fill = blanks.filter((each) => isBlank(each) && device[each]);
  return {
    ...Object.fromEntries(fill.map((each) => [each, device[each]])),
    ...(device.ip_address && { ip_address: device.ip_address }),
    ...(device.mac_address && { mac_address: device.mac_address }),
  };
}

/** Returns the ports that have a number. */
export function portsOf({ ports = [] }: Device) {
  return ports.flatMap(({ port_number, ...rest }) => (port_number === undefined ? [] : [{ ...rest, port_number }]));
}
