import { big, choice, day, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Company, Employee } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

export const proposalStatuses = ['draft', 'sent', 'accepted', 'rejected', 'expired'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** An offer to a company, which it accepts or rejects (F-33). */
export const Proposal = table(
  'proposal',
  {
    proposal_id: id(),
    proposal_number: text(64),
    company_number: ref(Company),
    title: text(255),
    description: text().default(''),
    status: choice(...proposalStatuses).default('draft'),
    /** In minor units (V-08), without tax. */
    total_minor: big().default(0),
    currency: text(3),
    /** The last day on which it can be accepted. */
    valid_until: day().nullable(),
    sent_at: when().nullable(),
    responded_at: when().nullable(),
    responded_by: text(255).default(''),
    responded_by_employee: ref(Employee).nullable(),
    rejection_reason: text().default(''),
    /** The ticket opened on acceptance (B-10). */
    ticket_id: ref(Ticket).nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'proposal_id', 'deleted_at'],
    ['company_number', 'created_at', 'proposal_id', 'deleted_at'],
    ['status', 'created_at', 'proposal_id', 'deleted_at'],
    ['created_at', 'proposal_id', 'deleted_at'],
    ['status', 'valid_until', 'proposal_id'],
  ],
);
export type Proposal = Row<typeof Proposal>;

export const ProposalLine = table(
  'proposal_line',
  {
    line_item_id: id(),
    proposal_id: ref(Proposal),
    position: int().hidden(),
    description: text(),
    /** In ten-thousandths. */
    quantity_parts: big(),
    /** Exact decimal text, with up to six decimals: `0.02925`. */
    unit_price: text(24).default('0'),
    amount_minor: big(),
  },
  [['proposal_id', 'position']],
);
export type ProposalLine = Row<typeof ProposalLine>;
