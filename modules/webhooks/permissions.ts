import { crm } from '@keelson/core';

/** Administrators' webhooks belong to the settings (Z-47). */
export const ManageWebhooks = crm.permission('webhooks:manage', 'List, register and remove webhooks');
