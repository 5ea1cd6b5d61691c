// Input fields of assets, ports and credentials.
import { input, z } from '@keelson/core';
import { portStatuses } from './entities/parts.ts';
import { addressesField } from './parts/addresses.ts';
import { softwareField } from './parts/software.ts';

/** Asset columns in bodies, bulk changes and files. */
export const assetColumns = {
  machine_name: input.text(255),
  asset_type: input.optionalText(100).meta({ 'x-dropdown': 'asset_types' }),
  serial_number: input.optionalText(255),
  site_number: input.clearable(input.id()),
  status: input.optionalText(100),
  ip_address: input.optionalIp(),
  mac_address: input.optionalMac(),
  manufacturer: input.optionalText(255),
  model: input.optionalText(255),
  operating_system: input.optionalText(255),
  location: input.optionalText(255),
  assigned_employee: input.clearable(input.id()),
  purchase_date: input.clearable(input.day()),
  warranty_expires: input.clearable(input.day()),
  notes: input.optionalLongText(),
};

/** Additional fields of a body. Lists replace the stored ones. */
export const assetFields = { ...assetColumns, ip_addresses: addressesField, software: softwareField };

const MOST_NUMBER = 1_000_000;

export const portFields = {
  port_number: input.clearable(input.int(0, MOST_NUMBER)),
  port_name: input.optionalText(255),
  port_type: input.optionalText(100),
  mac_address: input.optionalMac(),
  speed_mbps: input.clearable(input.int(0, 100_000_000)),
  vlan_id: input.clearable(input.id()),
  connected_asset_id: input.clearable(input.id()),
  connected_port_id: input.clearable(input.id()),
  status: input.optional(input.choice(portStatuses)),
  notes: input.optionalLongText(),
};

export const credentialFields = {
  label: input.text(255),
  username: input.optionalText(255),
  password: input.clearable(input.secret()),
  url: input.optionalUrl(),
  notes: input.optionalLongText(),
};

/** All credentials of an asset: changes those with an id, adds those without, and removes absent ones (AS-09). */
export const credentialsField = z
  .array(
    z.object({
      ...credentialFields,
      provider_only: input.optional(input.flag()),
      label: input.text(255).optional(),
      login_id: input.optional(input.id()),
    }),
  )
  .max(200)
  .optional();
