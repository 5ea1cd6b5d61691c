// A proposal with its lines.
import { showOne, z, type Context, type EmployeeActor } from '@keelson/core';
import type { Proposal } from './entities.ts';
import { ProposalLineItem, readLines, showLine } from './lines.ts';
import { PortalProposal, ProposalItem } from './proposal-list.ts';

const lines = { line_items: z.array(ProposalLineItem) };
export const ProposalDetail = ProposalItem.shape.extend(lines);
export const PortalProposalDetail = PortalProposal.shape.extend(lines);

export async function readProposal(ctx: Context, proposal: Proposal) {
  return { ...(await showOne(ctx, ProposalItem, proposal)), ...(await linesOf(ctx, proposal)) };
}

export async function readPortalProposal(ctx: Context<EmployeeActor>, proposal: Proposal) {
  return { ...(await showOne(ctx, PortalProposal, proposal)), ...(await linesOf(ctx, proposal)) };
}

async function linesOf(ctx: Context, { proposal_id }: Proposal) {
  return { line_items: (await readLines(ctx, proposal_id)).map(showLine) };
}
