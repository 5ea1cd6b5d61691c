// Mails a proposal to those of the company who may decide on it (B-09).
import { IsNull, sendMail, type Context, type Occurrence } from '@keelson/core';
import { readBillingPeople } from '@keelson/modules/directory';
import { ProposalSentMail } from '../mail-templates.ts';
import { Proposal } from './entities.ts';
import type { ProposalItem } from './proposal-list.ts';

/** Stores the mails, unless the proposal was decided or withdrawn in the meantime, or the company's billing is off. */
export async function mailProposal(ctx: Context, { data }: Occurrence<ProposalItem>): Promise<void> {
  const { proposal_id, company_number } = data;
  const proposal = await ctx.db.findOneBy(Proposal, { proposal_id, status: 'sent', deleted_at: IsNull() });
  if (!proposal || !(await ctx.app.switches.enabled(ctx, company_number, 'billing'))) return;
  const { proposal_number, title, description, total_minor, currency, valid_until } = proposal;
  const facts = {
    proposal_number,
    title,
    description,
    total: { minor: total_minor, currency },
    valid_until: valid_until ? { day: valid_until } : '–',
  };
  for (const { name, address, company_name } of await readBillingPeople(ctx, company_number))
    sendMail(ctx, ProposalSentMail, { to: { name, address }, data: { ...facts, company_name } });
}
