// Lookups of customer records by the ids in a path. Records of another project are not found (PR-05).
import { findOr404, findVisible, is, lock, notFound, type Context, type EmployeeActor } from '@keelson/core';
import type { Milestone, ProjectPhase, Project, PunchItem } from './entities.ts';
import { milestoneNoun, PortalMilestone } from './milestones/milestone-list.ts';
import { Phases } from './projects/phases.ts';
import { PortalProject, projectNoun } from './projects/project-list.ts';
import { PortalPunchItem, punchItemNoun } from './punch-list/punch-list.ts';

type Employee = Context<EmployeeActor>;

/** Locks a project of the company, so that nothing is added during its deletion. @throws notFound() */
export async function lockOwnProject(ctx: Employee, project_id: number): Promise<Project> {
  await findVisible(ctx, PortalProject, project_id);
  return lock(ctx, projectNoun, project_id);
}

/** Locks a milestone of the company for its decision. @throws notFound() */
export async function lockOwnMilestone(ctx: Employee, milestone_id: number): Promise<Milestone> {
  await findVisible(ctx, PortalMilestone, milestone_id);
  return lock(ctx, milestoneNoun, milestone_id);
}

export interface ItemPath {
  readonly project_id: number;
  readonly item_id: number;
}

/** Returns a visible item of a project. @throws notFound() */
export function findOwnItem(ctx: Employee, { project_id, item_id }: ItemPath): Promise<PunchItem> {
  return findVisible(ctx, PortalPunchItem, item_id, { where: [is('project_id', project_id)] });
}

/** Locks and returns a visible item of a project. @throws notFound() */
export async function lockOwnItem(ctx: Employee, path: ItemPath): Promise<PunchItem> {
  await findOwnItem(ctx, path);
  return lock(ctx, punchItemNoun, path.item_id);
}

/** Locks a phase of a project, for the provider. @throws notFound() */
export const lockPhase = (ctx: Context, { id, phase_id }: { id: number; phase_id: number }): Promise<ProjectPhase> =>
  lock(ctx, Phases, phase_id).then((phase) => ofProject(phase, id, Phases.title));

interface MilestonePath {
  readonly id: number;
  readonly milestone_id: number;
}

/** Returns a milestone of a project, for the provider. @throws notFound() */
export const findMilestone = (ctx: Context, { id, milestone_id }: MilestonePath) =>
  findOr404(ctx, milestoneNoun, milestone_id).then((found) => ofProject(found, id, milestoneNoun.title));

/** Locks a milestone of a project, for the provider. @throws notFound() */
export const lockMilestone = (ctx: Context, { id, milestone_id }: MilestonePath) =>
  lock(ctx, milestoneNoun, milestone_id).then((milestone) => ofProject(milestone, id, milestoneNoun.title));

/** Locks an item of a project, for the provider. @throws notFound() */
export const lockItem = (ctx: Context, { id, item_id }: { id: number; item_id: number }) =>
  lock(ctx, punchItemNoun, item_id).then((item) => ofProject(item, id, punchItemNoun.title));

function ofProject<R extends { readonly project_id: number }>(row: R, project_id: number, noun: string): R {
  if (row.project_id !== project_id) throw notFound(noun);
  return row;
}
