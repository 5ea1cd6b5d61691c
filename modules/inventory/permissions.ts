import { admin } from '@keelson/core';

export const ReadContracts = admin.permission('contracts:read', 'View contracts and vendors');
export const WriteContracts = admin.permission('contracts:write', 'Create, update and delete contracts and vendors');
export const ReadLicenses = admin.permission('licenses:read', 'View licenses');
export const WriteLicenses = admin.permission('licenses:write', 'Create, update, delete and reveal licenses');
export const ReadNetworks = admin.permission('networks:read', 'View networks, VLANs, IP addresses and domains');
export const WriteNetworks = admin.permission(
  'networks:write',
  'Create, update and delete networks, VLANs and domains',
);

export default [ReadContracts, WriteContracts, ReadLicenses, WriteLicenses, ReadNetworks, WriteNetworks];
