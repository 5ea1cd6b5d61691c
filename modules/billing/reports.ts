// Further report sources: proposals and subscriptions on both surfaces, and products.
import { reportSource } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { CreditNoteItem, PortalCreditNote } from './credits/credit-list.ts';
import ofInvoices from './invoices/reports.ts';
import { ReadBilling } from './permissions.ts';
import { ProductItem } from './products/products.ts';
import { PortalProposal, ProposalItem } from './proposals/proposal-list.ts';
import ofPeriods from './subscriptions/reports.ts';
import { PortalSubscription, SubscriptionItem } from './subscriptions/subscription-list.ts';

const proposalFields = {
  proposal_id: 'Proposal ID',
  proposal_number: 'Proposal number',
  title: 'Title',
  status: 'Status',
  total: 'Total',
  currency: 'Currency',
  valid_until: 'Valid until',
  sent_at: 'Sent',
  responded_at: 'Answered',
  responded_by: 'Answered by',
  rejection_reason: 'Reason',
  created_at: 'Created',
} as const;

const creditFields = {
  credit_note_id: 'Credit note ID',
  credit_note_number: 'Credit note number',
  invoice_id: 'Invoice ID',
  invoice_number: 'Invoice number',
  issue_date: 'Issued',
  reason: 'Reason',
  subtotal: { label: 'Subtotal', type: 'money', column: 'subtotal_minor' },
  tax: { label: 'Tax', type: 'money', column: 'tax_minor' },
  total: { label: 'Total', type: 'money', column: 'total_minor' },
  open_amount: { label: 'Left', type: 'money' },
  currency: 'Currency',
  created_at: 'Created',
} as const;

const subscriptionFields = {
  subscription_id: 'Subscription ID',
  name: 'Name',
  status: 'Status',
  quantity: 'Quantity',
  unit_price: 'Unit price',
  amount: 'Amount',
  currency: 'Currency',
  billing_cycle: 'Billing cycle',
  start_date: 'Start',
  next_billing_date: 'Next billing',
  next_price: 'Price to come',
  next_price_from: 'Price from',
  end_date: 'End',
  created_at: 'Created',
} as const;

const productFields = {
  product_id: 'Product ID',
  name: 'Name',
  vendor: 'Vendor',
  category: 'Category',
  price: 'Price',
  currency: 'Currency',
  billing_cycle: 'Billing cycle',
  active: 'Sold',
  created_at: 'Created',
} as const;

const company = { company_number: 'Company number', company_name: 'Company' } as const;

export default [
  ...ofInvoices,
  ...ofPeriods,
  reportSource('admin', 'proposals', {
    title: 'Proposals',
    access: ReadBilling,
    view: ProposalItem,
    fields: { ...proposalFields, ...company },
  }),
  reportSource('helpdesk', 'proposals', {
    title: 'Proposals',
    access: seesBilling,
    view: PortalProposal,
    fields: proposalFields,
  }),
  reportSource('admin', 'credit_notes', {
    title: 'Credit notes',
    access: ReadBilling,
    view: CreditNoteItem,
    fields: { ...creditFields, ...company },
  }),
  reportSource('helpdesk', 'credit_notes', {
    title: 'Credit notes',
    access: seesBilling,
    view: PortalCreditNote,
    fields: creditFields,
  }),
  reportSource('admin', 'subscriptions', {
    title: 'Subscriptions',
    access: ReadBilling,
    view: SubscriptionItem,
    fields: { ...subscriptionFields, ...company },
  }),
  reportSource('helpdesk', 'subscriptions', {
    title: 'Subscriptions',
    access: seesBilling,
    view: PortalSubscription,
    fields: subscriptionFields,
  }),
  reportSource('admin', 'products', {
    title: 'Products',
    access: ReadBilling,
    view: ProductItem,
    fields: productFields,
  }),
];
