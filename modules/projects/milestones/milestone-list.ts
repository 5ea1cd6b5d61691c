// Milestone views and filters, separate from milestones.ts because milestone events carry these views.
import {
  by,
  fromMinor,
  is,
  noun,
  restrict,
  sql,
  today,
  view,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { sameCurrency } from '@keelson/core/plugin';
import { countOf, type MembersOf } from '@keelson/core/record';
import { amountFor } from '@keelson/core/surfaces';
import { CompanyNames } from '@keelson/modules/directory';
import { Milestone } from '../entities.ts';
import { ProjectNames } from '../names.ts';
import { ownCompany } from '../visible.ts';

export const milestoneNoun = noun(Milestone, {
  title: 'Milestone',
  filters: (its) => ({ status: its.is('status') }),
  sorts: { milestone_id: by('milestone_id'), requested_at: by('requested_at') },
  order: 'asc',
});

const customersColumns = [
  'milestone_id',
  'project_id',
  'phase_id',
  'company_number',
  'name',
  'description',
  'due_date',
  'status',
  'requested_at',
  'decided_at',
  'decided_by',
  'rejection_reason',
  'info_request',
  'created_at',
  'updated_at',
] as const;

const more = (its: MembersOf<typeof Milestone>) => ({
  project_name: its.name(ProjectNames, 'project_id'),
  company_name: its.name(CompanyNames, 'company_number'),
  currency: its.lookup(z.string(), 'milestone_id', sameCurrency, ''),
  overdue: its.asOf(z.boolean(), 'awaited_on', (ctx) => (day) => day < today(ctx), false),
});

const seen = (its: MembersOf<typeof Milestone>) => ({
  ...more(its),
  amount: its.asOf(z.number().nullable(), 'amount_minor', amountFor, null),
});

/** Milestone in events, without the provider's notes (F-39). */
export const SharedMilestone = view(milestoneNoun, {
  only: customersColumns,
  more: (its) => ({
    ...more(its),
    amount: its.from(
      z.number().nullable(),
      ['amount_minor'],
      ({ amount_minor }) => amount_minor && fromMinor(amount_minor),
    ),
  }),
});
export const PortalMilestone = restrict(view(milestoneNoun, { only: customersColumns, more: seen }), ownCompany);
/** Milestone as technicians see it. */
export const MilestoneItem = view(milestoneNoun, { only: [...customersColumns, 'notes'], more: seen });

/** Milestones that await a decision of the company's managers (M-09); those of cancelled projects are excluded. */
export const undecided = [
  is('status', ['pending_approval', 'info_requested']),
  sql`EXISTS (SELECT 1 FROM project WHERE project.project_id = milestone.project_id AND project.status <> 'cancelled')`,
] as const;

/** Counts the milestones that await the signed-in person's decision (PR-06). */
export async function countUndecided(ctx: Context<EmployeeActor>) {
  if (!ctx.actor.ismgr) return { is_manager: false, pending_count: 0 };
  return { is_manager: true, pending_count: await countOf(ctx, PortalMilestone, {}, { where: undecided }) };
}
