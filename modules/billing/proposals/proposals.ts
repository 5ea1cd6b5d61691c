// Proposals, from the draft to the customer's decision (NW-03, M-13).
import {
  change,
  conflict,
  create,
  eventDataFor,
  In,
  invalid,
  lock,
  record,
  today,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { holdCompany } from '@keelson/modules/directory';
import { ProposalAccepted, ProposalExpired, ProposalRejected, ProposalSent } from '../events.ts';
import { fromParts } from '../money.ts';
import { takeNumber } from '../numbers.ts';
import { ProposalLine, type Proposal } from './entities.ts';
import { readLines, storeLines, totalOf, type NewProposalLine } from './lines.ts';
import { ProposalItem, ProposalNoun } from './proposal-list.ts';

const moves = {
  sent: ProposalSent,
  accepted: ProposalAccepted,
  rejected: ProposalRejected,
  expired: ProposalExpired,
} as const;

export const Proposals = record(ProposalNoun, {
  call: ({ proposal_number }) => proposal_number,
  log: { created: ['title', 'total_minor'] },
  async prepare(ctx, { company_number }, before) {
    if (company_number !== before?.company_number) await holdCompany(ctx, company_number);
  },
  async changed(ctx, changes) {
    const moved = changes.filter(({ before, after }) => before.status !== after.status);
    const rows = moved.map(({ after }) => after);
    const dataOf = await eventDataFor(ctx, ProposalItem, rows);
    for (const row of rows) if (row.status !== 'draft') ctx.emit(moves[row.status], dataOf(row));
  },
  async removed(ctx, proposals) {
    await ctx.db.delete(ProposalLine, { proposal_id: In(proposals.map((each) => each.proposal_id)) });
  },
});

/** Locks a proposal for a change. @throws notFound() */
export const lockProposal = (ctx: Context, proposal_id: number): Promise<Proposal> => lock(ctx, Proposals, proposal_id);

type Fields = 'company_number' | 'title' | 'description' | 'currency' | 'valid_until';
type Lines = { readonly lines: readonly NewProposalLine[] };
export type NewProposal = Lines &
  Omit<Pick<Given<typeof Proposals>, Fields>, 'currency'> & {
    /** Defaults to the tenant's currency. */
    readonly currency?: string | undefined;
  };
export type ProposalUpdate = Partial<Lines> & Pick<Wanted<typeof Proposals>, Fields>;

/** Creates a draft; the customer sees it once it is sent. */
export async function createProposal(ctx: Context, { lines, ...given }: NewProposal): Promise<Proposal> {
  const currency = given.currency ?? (await readCurrency(ctx));
  const total_minor = totalOf(lines, currency);
  await holdCompany(ctx, given.company_number);
  const proposal_number = await takeNumber(ctx, { name: 'proposal', prefix: 'PRO', taken: async () => [] });
  const row = { ...given, currency, total_minor, proposal_number };
  return create(ctx, Proposals, row, { store: (proposal) => storeLines(ctx, proposal, lines) });
}

/**
 * Changes a proposal that was locked in the same transaction: any field of a draft, but only the validity of a sent
 * one.
 * @throws conflict() for anything else
 */
export async function updateProposal(
  ctx: Context,
  proposal: Proposal,
  { lines, ...wanted }: ProposalUpdate,
): Promise<Proposal> {
  if (proposal.status !== 'draft') return prolong(ctx, proposal, { lines, ...wanted });
  const { currency = proposal.currency } = wanted;
  if (lines === undefined && currency === proposal.currency) return change(ctx, Proposals, proposal, wanted);
  const before = await readLines(ctx, proposal.proposal_id);
  const after = lines ?? before;
  return change(
    ctx,
    Proposals,
    proposal,
    { ...wanted, total_minor: totalOf(after, currency) },
    {
      extra: sameLines(before, after) ? {} : { line_items: [before.map(asLogged), after.map(asLogged)] },
      store: (row) => storeLines(ctx, row, after),
    },
  );
}

/** Sends a draft to the customer, with a mail to those who may decide (B-09). */
export async function sendProposal(ctx: Context, proposal: Proposal): Promise<Proposal> {
  if (proposal.status !== 'draft') throw conflict(`Proposal is ${proposal.status}`);
  if (isPast(ctx, proposal.valid_until)) throw invalid('valid_until must not be in the past');
  return change(ctx, Proposals, proposal, { status: 'sent', sent_at: ctx.now });
}

/** Requires that a proposal may be deleted. @throws conflict() for one that was accepted or rejected */
export function checkRemovable({ status }: Proposal): void {
  if (status === 'accepted' || status === 'rejected') throw conflict(`Proposal is ${status}`);
}

export const isPast = (ctx: Context, day: string | null): boolean => day !== null && day < today(ctx);

const fixed = ['company_number', 'title', 'description', 'currency'] as const;

async function prolong(ctx: Context, proposal: Proposal, { lines, ...wanted }: ProposalUpdate): Promise<Proposal> {
  const other = fixed.some((each) => wanted[each] !== undefined && wanted[each] !== proposal[each]);
  const before = lines && (await readLines(ctx, proposal.proposal_id));
  if (other || (before && !sameLines(before, lines)))
    throw conflict(`Proposal is ${proposal.status}: only valid_until can change`);
  const { valid_until } = wanted;
  if (valid_until === undefined || valid_until === proposal.valid_until) return proposal;
  if (proposal.status !== 'sent') throw conflict(`Proposal is ${proposal.status}`);
  if (isPast(ctx, valid_until)) throw invalid('valid_until must not be in the past');
  return change(ctx, Proposals, proposal, { valid_until });
}

function sameLines(before: readonly NewProposalLine[], after: readonly NewProposalLine[]): boolean {
  return JSON.stringify(before.map(asLogged)) === JSON.stringify(after.map(asLogged));
}

const asLogged = ({ description, quantity_parts, unit_price }: NewProposalLine) => ({
  description,
  quantity: fromParts(quantity_parts),
  unit_price: Number(unit_price),
});
