import { choice, id, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const Claim = table(
  'warranty_claim',
  {
    claim_id: id(),
    company_number: ref(Company),
    ticket_id: ref(Ticket),
    vendor: text(120),
    product: text(120),
    state: choice('sent', 'accepted', 'refused').default('sent'),
    created_at: when(),
    answered_at: when().nullable(),
    chased_at: when().nullable(),
  },
  [
    ['company_number', 'state', 'created_at'],
    ['company_number', 'created_at'],
    ['state', 'created_at'],
    ['state', 'chased_at', 'created_at'],
    ['created_at'],
  ],
);
export type Claim = Row<typeof Claim>;
