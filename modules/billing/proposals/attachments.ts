// Attachments of proposals: added by the provider, readable by the customer with the proposal.
import { administrators, attachments } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { ReadBilling, WriteBilling } from '../permissions.ts';
import { PortalProposal, ProposalItem } from './proposal-list.ts';
import { Proposals } from './proposals.ts';

export const ProposalAttachments = attachments(Proposals, {
  company: (proposal) => proposal.company_number,
  call: (proposal) => proposal.proposal_number,
  admin: { path: '/billing/proposals.php', read: ReadBilling, write: administrators(WriteBilling), view: ProposalItem },
  helpdesk: { path: '/billing/proposals', read: seesBilling, view: PortalProposal },
});
