import { crm, type CrmKey } from '@keelson/core';
import type { Permission } from '@keelson/core/plugin';

/** Every key of the CRM surface has this permission, and nobody else (N-30, Z-57). */
export const UseWidget: Permission<CrmKey> = crm.permission('widget:access', 'The chat on websites');
