// List views of proposals (F-33), on both surfaces.
import { by, fromMinor, noun, restrict, searched, view, z, type OutOf } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { Proposal } from './entities.ts';
import { sentToOwnCompany } from './visible.ts';

export const ProposalNoun = noun(Proposal, {
  title: 'Proposal',
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(Proposal),
  }),
  sorts: { created_at: by('created_at') },
});

export const ProposalItem = view(ProposalNoun, {
  except: ['total_minor'],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    total: its.from(z.number(), ['total_minor'], ({ total_minor }) => fromMinor(total_minor)),
  }),
});
export type ProposalItem = OutOf<typeof ProposalItem>;

/** A proposal as its company sees it. */
export const PortalProposal = restrict(
  view(ProposalNoun, {
    only: [
      'proposal_id',
      'proposal_number',
      'title',
      'description',
      'status',
      'currency',
      'valid_until',
      'sent_at',
      'responded_at',
      'responded_by',
      'rejection_reason',
      'created_at',
    ],
    more: (its) => ({
      total: its.from(z.number(), ['total_minor'], ({ total_minor }) => fromMinor(total_minor)),
    }),
  }),
  sentToOwnCompany,
);
