// Project detail with phases, milestones and punch list (F-37).
import { IsNull, show, showOne, z, type Context } from '@keelson/core';
import { Milestone, PunchItem, type Project } from '../entities.ts';
import { MilestoneItem, PortalMilestone } from '../milestones/milestone-list.ts';
import { PunchItemView } from '../punch-list/punch-list.ts';
import { listPhases, PhaseItem } from './phases.ts';
import { PortalProject, ProjectItem } from './project-list.ts';

const parts = { phases: z.array(PhaseItem.shape), punch_list: z.array(PunchItemView.shape) };
export const ProjectDetail = ProjectItem.shape.extend({ ...parts, milestones: z.array(MilestoneItem.shape) });
export const PortalProjectDetail = PortalProject.shape.extend({
  ...parts,
  milestones: z.array(PortalMilestone.shape),
});

export async function readProject(ctx: Context, project: Project) {
  const { milestones, ...rest } = await readParts(ctx, project);
  return {
    ...(await showOne(ctx, ProjectItem, project)),
    ...rest,
    milestones: await show(ctx, MilestoneItem, milestones),
  };
}

export async function readPortalProject(ctx: Context, project: Project) {
  const { milestones, ...rest } = await readParts(ctx, project);
  return {
    ...(await showOne(ctx, PortalProject, project)),
    ...rest,
    milestones: await show(ctx, PortalMilestone, milestones),
  };
}

async function readParts(ctx: Context, { project_id }: Project) {
  const where = { project_id, deleted_at: IsNull() };
  return {
    phases: await show(ctx, PhaseItem, await listPhases(ctx, project_id)),
    milestones: await ctx.db.find(Milestone, { where, order: { milestone_id: 'ASC' } }),
    punch_list: await show(ctx, PunchItemView, await ctx.db.find(PunchItem, { where, order: { item_id: 'ASC' } })),
  };
}
