export { Contract, ContractAsset } from './contracts/entities.ts';
export {
  Contracts,
  createContract,
  updateContract,
  type ContractUpdate,
  type NewContract,
} from './contracts/contracts.ts';
export { readIncludedHours, type IncludedHours } from './contracts/included.ts';
export { createDomain, Domains } from './domains/domains.ts';
export { Domain } from './domains/entities.ts';
export { InventoryExpiring, InventoryRenewed } from './events.ts';
export { License, LicenseAsset } from './licenses/entities.ts';
export { createLicense, Licenses, updateLicense, type LicenseUpdate, type NewLicense } from './licenses/licenses.ts';
export { ContractNames, VendorNames } from './names.ts';
export { Network } from './networks/entities.ts';
export { createNetwork, Networks, updateNetwork } from './networks/networks.ts';
export {
  ReadContracts,
  ReadLicenses,
  ReadNetworks,
  WriteContracts,
  WriteLicenses,
  WriteNetworks,
} from './permissions.ts';
export { Vendor } from './vendors/entities.ts';
export { createVendor, Vendors } from './vendors/vendors.ts';
export { Vlan } from './vlans/entities.ts';
export { createVlan, Vlans } from './vlans/vlans.ts';
export { SeenAddresses } from './slots.ts';
