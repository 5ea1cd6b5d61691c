import { liveRecord } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { CreditNote } from './credits/entities.ts';
import { Invoice } from './invoices/entities.ts';
import { Payment } from './payments/entities.ts';
import { ReadBilling } from './permissions.ts';
import { Product } from './products/entities.ts';
import { Proposal } from './proposals/entities.ts';
import { sentToOwnCompany } from './proposals/visible.ts';
import { Subscription } from './subscriptions/entities.ts';
import { issuedToOwnCompany } from './visible.ts';

export default [
  liveRecord(Product, { admin: ReadBilling }),
  liveRecord(Invoice, { admin: ReadBilling, helpdesk: { access: seesBilling, visible: issuedToOwnCompany } }),
  liveRecord(CreditNote, { admin: ReadBilling, helpdesk: { access: seesBilling } }),
  liveRecord(Payment, { admin: ReadBilling, helpdesk: { access: seesBilling } }),
  liveRecord(Proposal, { admin: ReadBilling, helpdesk: { access: seesBilling, visible: sentToOwnCompany } }),
  liveRecord(Subscription, { admin: ReadBilling, helpdesk: { access: seesBilling } }),
];
