// How a milestone is submitted, decided, asked about and answered (M-09). All expect it locked in the same transaction, so
// that of several decisions at once only the first finds it undecided (M-11).
import { change, conflict, invalid, type Context, type Wanted } from '@keelson/core';
import { Milestone, MilestoneStep, Project } from './entities.ts';
import { Milestones } from './milestones.ts';

type Status = Milestone['status'];

const decidable: ReadonlySet<Status> = new Set(['pending_approval', 'info_requested']);

/** Hands work in for the customer's decision, again after a rejection; answers a question. @throws conflict() otherwise */
export async function submitMilestone(ctx: Context, milestone: Milestone, comment = ''): Promise<Milestone> {
  const { status } = milestone;
  if (status === 'approved' || status === 'pending_approval') throw conflict('Milestone was submitted already');
  const answers = status === 'info_requested';
  if (answers && comment === '') throw invalid('comment is required: it answers the customer’s question');
  await refuseCancelled(ctx, milestone);
  const open = { decided_at: null, decided_by: null, rejection_reason: null, info_request: null };
  const wanted = { ...open, status: 'pending_approval', requested_at: ctx.now } as const;
  return move(ctx, milestone, wanted, { action: answers ? 'answered' : 'submitted', comment });
}

/** A manager approves it, which is final. @throws conflict() when it waits for no decision */
export function approveMilestone(ctx: Context, milestone: Milestone, comment = ''): Promise<Milestone> {
  const wanted = { status: 'approved', rejection_reason: null, info_request: null } as const;
  return decide(ctx, milestone, wanted, { action: 'approved', comment });
}

/** A manager rejects it; it can be submitted again. @throws conflict() when it waits for no decision */
export function rejectMilestone(ctx: Context, milestone: Milestone, reason: string): Promise<Milestone> {
  const wanted = { status: 'rejected', rejection_reason: reason, info_request: null } as const;
  return decide(ctx, milestone, wanted, { action: 'rejected', comment: reason });
}

/** Somebody of the company asks before anybody decides (Z-17). @throws conflict() when it does not wait, or was asked */
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
    store: async () => void (await ctx.db.insert(MilestoneStep, row)),
  });
}

async function refuseCancelled(ctx: Context, { project_id }: Milestone): Promise<void> {
  const project = await ctx.db.one(Project, { project_id });
  if (project?.status === 'cancelled') throw conflict('The project was cancelled');
}
