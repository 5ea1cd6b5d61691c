import {
  admin,
  administrators,
  created,
  findOr404,
  input,
  item,
  list,
  nothing,
  pageOf,
  remove,
  z,
} from '@keelson/core';
import { MOST_LINES } from '../../invoices/lines.ts';
import { bodyObject, changesObject, invoiceWords, lineObject, linesWords } from '../../line-words.ts';
import { moneyInput, toParts } from '../../money.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';
import { ProposalDetail, readProposal } from '../../proposals/proposal-detail.ts';
import { ProposalItem, ProposalNoun } from '../../proposals/proposal-list.ts';
import {
  checkRemovable,
  createProposal,
  lockProposal,
  Proposals,
  sendProposal,
  updateProposal,
} from '../../proposals/proposals.ts';

const range = `must be 1 to ${MOST_LINES} lines`;
const tax = 'is not supported: tax is added on the invoice';
const line = lineObject(
  {
    description: input.longText(),
    quantity: moneyInput.quantity().default(toParts(1)),
    unit_price: moneyInput.unitPrice(),
  },
  { tax_rate: tax, taxable: tax },
).transform(({ quantity, ...each }) => ({ ...each, quantity_parts: quantity }));
const lines = z.array(line).min(1, range).max(MOST_LINES, range);

const words = {
  ...invoiceWords,
  ...linesWords,
  ...{ tax_rate: tax, tax, vat: tax, vat_rate: tax },
  ...{ due_date: 'is not supported: use valid_until', due: 'is not supported: use valid_until' },
  ...{ name: 'is not supported: use title', subject: 'is not supported: use title' },
};

const required = { company_number: input.id(), title: input.text(255), line_items: lines };
const optional = {
  description: input.optionalLongText(),
  currency: input.optional(moneyInput.currency()),
  valid_until: input.clearable(input.day()),
};

export default [
  admin.get('/billing/proposals.php', {
    title: 'List proposals',
    access: ReadBilling,
    addition: true,
    query: admin.paging(ProposalItem.query),
    returns: list(ProposalItem),
    handle: (ctx, { query }) => pageOf(ctx, ProposalItem, query),
  }),
  admin.post('/billing/proposals.php', {
    title: 'Create a proposal',
    access: administrators(WriteBilling),
    addition: true,
    body: bodyObject({ ...required, ...optional }, words),
    returns: created(ProposalDetail),
    handle: async (ctx, { body: { line_items, ...given } }) =>
      readProposal(ctx, await createProposal(ctx, { ...given, lines: line_items })),
  }),
  admin.get('/billing/proposals.php?id={id}', {
    title: 'Read a proposal with its lines',
    access: ReadBilling,
    addition: true,
    returns: item(ProposalDetail),
    load: (ctx, { id }) => findOr404(ctx, ProposalNoun, id),
    handle: (ctx, { item: proposal }) => readProposal(ctx, proposal),
  }),
  admin.put('/billing/proposals.php?id={id}', {
    title: 'Update a proposal',
    access: administrators(WriteBilling),
    addition: true,
    body: changesObject({ ...required, ...optional }, words),
    returns: item(ProposalDetail),
    load: (ctx, { id }) => lockProposal(ctx, id),
    handle: async (ctx, { item: proposal, body: { line_items, ...wanted } }) =>
      readProposal(ctx, await updateProposal(ctx, proposal, { ...wanted, lines: line_items })),
  }),
  admin.post('/billing/proposals.php?action=send&id={id}', {
    title: 'Send a proposal to the customer',
    access: administrators(WriteBilling),
    addition: true,
    returns: item(ProposalDetail),
    load: (ctx, { id }) => lockProposal(ctx, id),
    handle: async (ctx, { item: proposal }) => readProposal(ctx, await sendProposal(ctx, proposal)),
  }),
  admin.delete('/billing/proposals.php?id={id}', {
    title: 'Delete a proposal',
    access: administrators(WriteBilling),
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lockProposal(ctx, id),
    handle: async (ctx, { item: proposal }) => {
      checkRemovable(proposal);
      await remove(ctx, Proposals, proposal);
    },
  }),
];
