// Slots for rows of other modules that assets show or check.
import { z } from '@keelson/core';
import { slot } from '@keelson/core/plugin';
import { LinkedContract } from '@keelson/modules/tickets';

const company = { company_number: z.int(), company_name: z.string() };

/** A licence as an asset shows it (F-11); its key is masked. */
export const LinkedLicense = z.object({
  license_id: z.int(),
  name: z.string(),
  vendor: z.string(),
  product_key: z.string().nullable(),
  license_type: z.string(),
  seats: z.int().nullable(),
  seats_used: z.int(),
  ...company,
  status: z.string(),
  purchase_date: z.iso.date().nullable(),
  expires_at: z.iso.date().nullable(),
  cost: z.number().nullable(),
  currency: z.string(),
  notes: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** The licences installed on an asset, by its id (F-08). */
export const AssetLicenses = slot('asset.licenses', z.array(LinkedLicense), []);
/** The contracts that name an asset, by its id (F-08). */
export const AssetContracts = slot('asset.contracts', z.array(LinkedContract), []);
/** The network that contains an address, by the id of the address (F-73). */
export const AddressNetworks = slot(
  'asset.address_networks',
  z.object({ network_id: z.int(), network_description: z.string() }).nullable(),
  null,
);
/** The VLANs that a port may name, by id; null for one that does not exist. */
export const KnownVlans = slot('asset.vlans', z.object({ company_number: z.int(), name: z.string() }).nullable(), null);
