import { admin } from '@keelson/core';

export const ReadSettings = admin.permission('settings:read', 'View settings, logs, workflows and webhooks');
export const WriteSettings = admin.permission('settings:write', 'Modify settings, workflows and webhooks');
