// Milestone with its approval trail.
import { showOne, z, type Context } from '@keelson/core';
import { MilestoneStep, type Milestone } from '../entities.ts';
import { MilestoneItem, PortalMilestone } from './milestone-list.ts';

const history = z.array(MilestoneStep.shape.omit({ milestone_id: true }));
export const MilestoneDetail = MilestoneItem.shape.extend({ history });
export const PortalMilestoneDetail = PortalMilestone.shape.extend({ history });

export async function readMilestone(ctx: Context, milestone: Milestone) {
  return { ...(await showOne(ctx, MilestoneItem, milestone)), history: await readSteps(ctx, milestone) };
}

export async function readPortalMilestone(ctx: Context, milestone: Milestone) {
  return { ...(await showOne(ctx, PortalMilestone, milestone)), history: await readSteps(ctx, milestone) };
}

/** Returns the latest steps, oldest first. */
async function readSteps({ db }: Context, { milestone_id }: Milestone): Promise<MilestoneStep[]> {
  const latest = await db.find(MilestoneStep, { where: { milestone_id }, order: { step_id: 'DESC' }, take: 100 });
  return latest.toReversed();
}
