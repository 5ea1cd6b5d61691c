import { crm } from '@keelson/core';

/** Every key of the CRM surface has this permission (N-30, Z-57). */
export const UseWidget = crm.permission('widget:access', 'The chat on websites');
