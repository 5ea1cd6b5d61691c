// Proposals and subscriptions of the caller's company.
import { findVisible, helpdesk, input, item, list, lock, pageOf, z } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { decideProposal } from '../../proposals/decide.ts';
import { PortalProposalDetail, readPortalProposal } from '../../proposals/proposal-detail.ts';
import { PortalProposal } from '../../proposals/proposal-list.ts';
import { Proposals } from '../../proposals/proposals.ts';
import { PortalSubscription } from '../../subscriptions/subscription-list.ts';

const { status, search } = PortalProposal.query;

export default [
  helpdesk.get('/billing/proposals', {
    title: 'List your company’s proposals',
    access: seesBilling,
    query: helpdesk.paging({ status, search }, { whole: true }),
    returns: list(PortalProposal, 'proposals'),
    handle: (ctx, { query }) => pageOf(ctx, PortalProposal, query),
  }),
  helpdesk.get('/billing/proposals/{id}', {
    title: 'Show a proposal with its lines',
    access: seesBilling,
    returns: item(PortalProposalDetail),
    load: (ctx, { id }) => findVisible(ctx, PortalProposal, id),
    handle: (ctx, { item: proposal }) => readPortalProposal(ctx, proposal),
  }),
  helpdesk.post('/billing/proposals/{id}', {
    title: 'Accept or reject a proposal',
    operationId: 'decideBillingProposal',
    access: seesBilling,
    body: z.object({ action: input.choice(['accept', 'reject']), reason: input.optionalLongText() }),
    returns: item(PortalProposalDetail),
    async load(ctx, { id }) {
      await findVisible(ctx, PortalProposal, id);
      return lock(ctx, Proposals, id);
    },
    handle: async (ctx, { item: proposal, body }) => readPortalProposal(ctx, await decideProposal(ctx, proposal, body)),
  }),
  helpdesk.get('/billing/subscriptions', {
    title: 'List your company’s subscriptions',
    access: seesBilling,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalSubscription, 'subscriptions'),
    handle: (ctx, { query }) => pageOf(ctx, PortalSubscription, query),
  }),
];
