import { admin } from '@keelson/core';

export const ReadNetworks = admin.permission('networks:read', 'View networks, VLANs, IPs');
export const WriteNetworks = admin.permission('networks:write', 'Create and update networks');
