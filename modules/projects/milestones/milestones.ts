// Milestones for customer sign-off. Transitions are in milestone-moves.ts.
import {
  change,
  conflict,
  create,
  eventDataFor,
  invalid,
  IsNull,
  record,
  type Context,
  type Given,
  type OutOf,
} from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import type { Event } from '@keelson/core/plugin';
import { seesAmounts } from '@keelson/core/surfaces';
import { Milestone, Project, ProjectPhase } from '../entities.ts';
import { MilestoneApproved, MilestoneInfoRequested, MilestoneRejected, MilestoneSubmitted } from '../events.ts';
import { milestoneNoun, SharedMilestone } from './milestone-list.ts';

const MOST = 500;

export const Milestones = record(milestoneNoun, {
  call: ({ name }) => name,
  derive: ({ status, due_date }) => ({ awaited_on: status === 'approved' ? null : due_date }),
  partOf: ({ project_id, company_number }) => ({ of: Project, row: { project_id, company_number } }),
  async prepare(ctx, after, before) {
    if (before) refuseFixed(after, before);
    const { phase_id, project_id } = after;
    if (phase_id === null || phase_id === before?.phase_id) return;
    if (
      !(await ctx.db.findOne(ProjectPhase, {
        where: { phase_id, project_id, deleted_at: IsNull() },
        lock: { mode: 'pessimistic_write' },
      }))
    )
      throw invalid('phase_id must be a phase of the project');
  },
  async changed(ctx, changes) {
    const moves = changes.filter(({ before, after }) => before.status !== after.status);
    const dataOf = await eventDataFor(
      ctx,
      SharedMilestone,
      moves.map(({ after }) => after),
    );
    for (const { after, changed } of moves) {
      const moved = events.get(after.status);
      if (moved) ctx.emit(moved, dataOf(after), { changed });
    }
  },
});

const events: ReadonlyMap<Milestone['status'], Event<OutOf<typeof SharedMilestone>>> = new Map([
  ['pending_approval', MilestoneSubmitted],
  ['approved', MilestoneApproved],
  ['rejected', MilestoneRejected],
  ['info_requested', MilestoneInfoRequested],
]);

type NewMilestone = Pick<Given<typeof Milestones>, 'name' | 'description' | 'phase_id' | 'due_date' | 'notes'>;

/** Adds a milestone to a project locked in the same transaction. @param given `amount` is in minor units */
export async function createMilestone(
  ctx: Context,
  { project_id, company_number }: Project,
  { amount, ...given }: NewMilestone & { readonly amount?: number | null | undefined },
): Promise<Milestone> {
  if ((await ctx.db.countBy(Milestone, { project_id, deleted_at: IsNull() })) >= MOST)
    throw conflict(`A project can have at most ${MOST} milestones`);
  return create(ctx, Milestones, { ...given, project_id, company_number, amount_minor: amount ?? null });
}

type MilestoneChanges = Partial<NewMilestone> & { readonly amount?: number | null | undefined };

/** Changes a milestone locked in the same transaction. Its status changes only through transitions. */
export function updateMilestone(
  ctx: Context,
  milestone: Milestone,
  { amount, ...wanted }: MilestoneChanges,
): Promise<Milestone> {
  // Callers who cannot see the amount send null back.
  const kept = amount === null && !seesAmounts(ctx);
  return change(ctx, Milestones, milestone, { ...wanted, amount_minor: kept ? undefined : amount });
}

/** Refuses the deletion of an approved milestone. @throws conflict() if it was signed off */
export function refuseApproved({ status }: Milestone): void {
  if (status === 'approved') throw conflict('An approved milestone cannot be deleted');
}

const agreed = ['name', 'description', 'due_date', 'amount_minor'] as const;
const changeable: ReadonlySet<Milestone['status']> = new Set(['pending', 'rejected']);

/** Refuses changes to a milestone under decision or approved. */
function refuseFixed(after: Milestone, before: Milestone): void {
  if (changeable.has(before.status)) return;
  const pick = (row: Milestone) => Object.fromEntries(agreed.map((each) => [each, row[each]]));
  if (Object.keys(changesBetween(pick(before), pick(after))).length > 0)
    throw conflict('A submitted milestone can only be changed after it is rejected');
}
