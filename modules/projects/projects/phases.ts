// Phases of a project, in the provider's order (F-38).
import {
  by,
  change,
  changeAll,
  conflict,
  create,
  In,
  invalid,
  IsNull,
  record,
  view,
  type Context,
  type Given,
} from '@keelson/core';
import { Milestone, Project, ProjectPhase } from '../entities.ts';
import { Milestones } from '../milestones/milestones.ts';

const MOST = 100;

export const Phases = record(ProjectPhase, {
  title: 'Phase',
  call: ({ name }) => name,
  sorts: { sort_order: by('sort_order') },
  order: 'asc',
  partOf: ({ project_id, company_number }) => ({ of: Project, row: { project_id, company_number } }),
  prepare(_, { start_date, due_date }) {
    if (start_date !== null && due_date !== null && due_date < start_date)
      throw invalid('due_date must not be before start_date');
  },
  /** Keeps the milestones and clears their reference (V-26). */
  async removed(ctx, phases) {
    const where = { phase_id: In(phases.map((each) => each.phase_id)), deleted_at: IsNull() };
    await changeAll(ctx, Milestones, await ctx.db.find(Milestone, { where, lock: { mode: 'pessimistic_write' } }), {
      phase_id: null,
    });
  },
});

export const PhaseItem = view(Phases);

type NewPhase = Omit<Given<typeof Phases>, 'project_id' | 'company_number'>;

/** Adds a phase to a project locked in the same transaction. */
export async function createPhase(ctx: Context, project: Project, given: NewPhase): Promise<ProjectPhase> {
  const { project_id, company_number } = project;
  if ((await ctx.db.countBy(ProjectPhase, { project_id, deleted_at: IsNull() })) >= MOST)
    throw conflict(`A project can have at most ${MOST} phases`);
  return create(ctx, Phases, { ...given, project_id, company_number });
}

/**
 * Reorders the phases of a project locked in the same transaction. Only phases that change position are written.
 * @throws conflict() if the order does not name each phase once, as after a colleague's addition
 */
export async function orderPhases(ctx: Context, { project_id }: Project, ids: readonly number[]) {
  const where = { project_id, deleted_at: IsNull() };
  const rows = await ctx.db.find(ProjectPhase, { where, lock: { mode: 'pessimistic_write' } });
  const phases = new Map(rows.map((each) => [each.phase_id, each]));
  if (ids.length !== phases.size || new Set(ids).size !== ids.length || ids.some((id) => !phases.has(id)))
    throw conflict('phase_ids must contain every phase of the project once: reload and try again');
  const ordered: ProjectPhase[] = [];
  for (const [sort_order, id] of ids.entries()) {
    const phase = phases.get(id);
    if (phase) ordered.push(phase.sort_order === sort_order ? phase : await change(ctx, Phases, phase, { sort_order }));
  }
  return ordered;
}

/** Returns the phases of a project in order. */
export function listPhases(ctx: Context, project_id: number): Promise<ProjectPhase[]> {
  const order = { sort_order: 'ASC', phase_id: 'ASC' } as const;
  return ctx.db.find(ProjectPhase, { where: { project_id, deleted_at: IsNull() }, order });
}
