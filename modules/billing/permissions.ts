import { admin } from '@keelson/core';

export const ReadBilling = admin.permission('billing:read', 'View invoices, payments, statements and subscriptions');
export const WriteBilling = admin.permission('billing:write', 'Create and change invoices, record payments');

export default [ReadBilling, WriteBilling];
