import { admin } from '@keelson/core';

export const ReadAssets = admin.permission('assets:read', 'View assets, ports and software');
export const WriteAssets = admin.permission('assets:write', 'Create and update assets, ports and credentials');
export const DeleteAssets = admin.permission('assets:delete', 'Delete assets');
