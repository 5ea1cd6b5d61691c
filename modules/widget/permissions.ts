import { crm, type CrmKey } from '@keelson/core';
import type { Permission } from '@keelson/core/plugin';

/** Held by every CRM key, and no one else (N-30, Z-57). */
export const UseWidget: Permission<CrmKey> = crm.permission('widget:access', 'Website chat');
