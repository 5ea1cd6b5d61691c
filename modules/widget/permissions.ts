import { crm, type CrmKey } from '@keelson/core';
import type { Permission } from '@keelson/core/plugin';

/** Held by every CRM key, and nobody else (N-30, Z-57). */
export const UseWidget: Permission<CrmKey> = crm.permission('widget:access', 'The chat on websites');
