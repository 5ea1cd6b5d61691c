// Milestone transitions: submit, decide, ask and answer (M-09). The milestone must be locked in the same transaction,
// so that only the first of concurrent decisions succeeds (M-11).
import { change, conflict, invalid, type Context, type Wanted } from '@keelson/core';
import { Milestone, MilestoneStep, Project } from '../entities.ts';
import { Milestones } from './milestones.ts';

type Status = Milestone['status'];

const decidable: ReadonlySet<Status> = new Set(['pending_approval', 'info_requested']);

/**
 * Submits work for the customer's decision, resubmits it after a rejection, or answers a question.
 * @throws conflict() otherwise
 */
export async function submitMilestone(ctx: Context, milestone: Milestone, comment = ''): Promise<Milestone> {
  const { status } = milestone;
  if (status === 'approved' || status === 'pending_approval') throw conflict('Milestone has already been submitted');
  const answers = status === 'info_requested';
  if (answers && comment === '') throw invalid('comment is required: it answers the customer’s question');
  await refuseCancelled(ctx, milestone);
  const open = { decided_at: null, decided_by: null, rejection_reason: null, info_request: null };
  const wanted = { ...open, status: 'pending_approval', requested_at: ctx.now } as const;
  return move(ctx, milestone, wanted, { action: answers ? 'answered' : 'submitted', comment });
}

/** Approves a milestone, which is final. @throws conflict() if it is not awaiting a decision */
export function approveMilestone(ctx: Context, milestone: Milestone, comment = ''): Promise<Milestone> {
  const wanted = { status: 'approved', rejection_reason: null, info_request: null } as const;
  return decide(ctx, milestone, wanted, { action: 'approved', comment });
}

/** Rejects a milestone; it can be resubmitted. @throws conflict() if it is not awaiting a decision */
export function rejectMilestone(ctx: Context, milestone: Milestone, reason: string): Promise<Milestone> {
  const wanted = { status: 'rejected', rejection_reason: reason, info_request: null } as const;
  return decide(ctx, milestone, wanted, { action: 'rejected', comment: reason });
}

/** Asks a question before a decision (Z-17). @throws conflict() if it is not awaiting a decision */
export async function requestInfo(ctx: Context, milestone: Milestone, question: string): Promise<Milestone> {
  if (milestone.status !== 'pending_approval') throw conflict('Milestone is not pending approval');
  await refuseCancelled(ctx, milestone);
  const wanted = { status: 'info_requested', info_request: question } as const;
  return move(ctx, milestone, wanted, { action: 'info_requested', comment: question });
}

async function decide(
  ctx: Context,
  milestone: Milestone,
  wanted: Wanted<typeof Milestones>,
  step: Step,
): Promise<Milestone> {
  if (!decidable.has(milestone.status)) throw conflict('Milestone is not pending approval');
  await refuseCancelled(ctx, milestone);
  return move(ctx, milestone, { ...wanted, decided_at: ctx.now, decided_by: ctx.author.name }, step);
}

type Step = Pick<MilestoneStep, 'action' | 'comment'>;

function move(ctx: Context, milestone: Milestone, wanted: Wanted<typeof Milestones>, step: Step): Promise<Milestone> {
  const { milestone_id } = milestone;
  const row = { ...step, milestone_id, author_name: ctx.author.name, created_at: ctx.now };
  return change(ctx, Milestones, milestone, wanted, {
    store: async () => void (await ctx.db.insertReturningId(MilestoneStep, row)),
  });
}

async function refuseCancelled(ctx: Context, { project_id }: Milestone): Promise<void> {
  const project = await ctx.db.findOneBy(Project, { project_id });
  if (project?.status === 'cancelled') throw conflict('The project was cancelled');
}
