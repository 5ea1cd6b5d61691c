// Projects for customers, with phases, milestones and a punch list.
import {
  create,
  eventDataFor,
  In,
  invalid,
  IsNull,
  lock,
  record,
  remove,
  today,
  type Context,
  type Given,
} from '@keelson/core';
import { checkPlace, Technician } from '@keelson/modules/directory';
import { Milestone, ProjectPhase, PunchItem, type Project } from '../entities.ts';
import { ProjectCompleted } from '../events.ts';
import { Milestones } from '../milestones/milestones.ts';
import { ProjectNames } from '../names.ts';
import { PunchItems } from '../punch-list/punch-items.ts';
import { Phases } from './phases.ts';
import { projectNoun, SharedProject } from './project-list.ts';

export const Projects = record(projectNoun, {
  call: ({ name }) => name,
  names: ProjectNames,
  follow: (ctx, before, { status }) => {
    if (status === undefined || status === before.status) return {};
    return { completed_at: status === 'completed' ? today(ctx) : null };
  },
  async prepare(ctx, after, before) {
    await checkPlace(ctx, after, before);
    checkDates(after);
    const { project_manager_id: user_id } = after;
    if (user_id === null || user_id === before?.project_manager_id) return;
    if (
      !(await ctx.db.findOne(Technician, {
        where: { user_id, active: true, deleted_at: IsNull() },
        lock: { mode: 'pessimistic_write' },
      }))
    )
      throw invalid('project_manager_id must be an active technician');
  },
  async changed(ctx, changes) {
    const completed = changes.filter(
      ({ before, after }) => before.status !== after.status && after.status === 'completed',
    );
    const rows = completed.map(({ after }) => after);
    const dataOf = await eventDataFor(ctx, SharedProject, rows);
    for (const { after, changed } of completed) ctx.emit(ProjectCompleted, dataOf(after), { changed });
  },
  /** Deletes the project's parts with it. */
  async removed(ctx, projects) {
    const where = { project_id: In(projects.map((each) => each.project_id)), deleted_at: IsNull() };
    await remove(ctx, Milestones, await ctx.db.find(Milestone, { where, lock: { mode: 'pessimistic_write' } }));
    await remove(ctx, Phases, await ctx.db.find(ProjectPhase, { where, lock: { mode: 'pessimistic_write' } }));
    await remove(ctx, PunchItems, await ctx.db.find(PunchItem, { where, lock: { mode: 'pessimistic_write' } }));
  },
});

/** Adds a project. */
export const createProject = (ctx: Context, given: Given<typeof Projects>): Promise<Project> =>
  create(ctx, Projects, { ...given, ...(given.status === 'completed' && { completed_at: today(ctx) }) });

/** Locks a project, so that nothing is added during its deletion. @throws notFound() */
export const lockProject = (ctx: Context, project_id: number): Promise<Project> => lock(ctx, projectNoun, project_id);

/** Checks the order of the dates. @throws invalid() if the end precedes the start */
export function checkDates({ start_date, due_date }: Pick<Project, 'start_date' | 'due_date'>): void {
  if (start_date !== null && due_date !== null && due_date < start_date)
    throw invalid('due_date must not be before start_date');
}
