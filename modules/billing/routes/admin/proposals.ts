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
import { checkSums, proposalSums } from '../../given-sums.ts';
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
  ...{ tax_rate: tax, tax, vat: tax, vat_rate: tax, subtotal: 'is not supported: use total' },
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
    body: bodyObject({ ...required, ...optional, ...proposalSums }, words),
    returns: created(ProposalDetail),
    async handle(ctx, { body: { line_items, total, ...given } }) {
      const proposal = await createProposal(ctx, { ...given, lines: line_items });
      checkSums({ total }, proposal);
      return readProposal(ctx, proposal);
    },
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
    body: changesObject({ ...required, ...optional, ...proposalSums }, words),
    returns: item(ProposalDetail),
    load: (ctx, { id }) => lockProposal(ctx, id),
    async handle(ctx, { item: proposal, body: { line_items, total, ...wanted } }) {
      const changed = await updateProposal(ctx, proposal, { ...wanted, lines: line_items });
      checkSums({ total }, changed, proposal);
      return readProposal(ctx, changed);
    },
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
