import { liveRecord } from '@keelson/core';
import { seesBilling } from './access.ts';
import { Invoice } from './invoices/entities.ts';
import { Payment } from './payments/entities.ts';
import { ReadBilling } from './permissions.ts';
import { issuedToOwnCompany } from './visible.ts';

export default [
  liveRecord(Invoice, { admin: ReadBilling, helpdesk: { access: seesBilling, visible: issuedToOwnCompany } }),
  liveRecord(Payment, { admin: ReadBilling, helpdesk: { access: seesBilling } }),
];
