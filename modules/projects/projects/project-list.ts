// Project views and filters, separate from projects.ts because project events carry these views.
import { by, listed, noun, restrict, searched, sql, today, view, z, type Context } from '@keelson/core';
import { readStatistics } from '@keelson/core/list';
import type { MembersOf } from '@keelson/core/record';
import { CompanyNames, TechnicianNames } from '@keelson/modules/directory';
import { Project } from '../entities.ts';
import { ownCompany } from '../visible.ts';

export const projectNoun = noun(Project, {
  title: 'Project',
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(Project),
  }),
  sorts: { created_at: by('created_at') },
});

const customersColumns = [
  'project_id',
  'name',
  'description',
  'status',
  'company_number',
  'start_date',
  'due_date',
  'completed_at',
  'created_at',
  'updated_at',
] as const;

const more = (its: MembersOf<typeof Project>) => ({
  company_name: its.name(CompanyNames, 'company_number'),
  project_manager: its.lookup(z.string(), 'project_manager_id', readTechnicians, ''),
  progress_percent: its.lookup(z.int(), 'project_id', readProgress, 0),
  overdue_milestones: its.lookup(z.int(), 'project_id', countOverdue, 0),
});

/** Project without the provider's notes (F-37). */
export const SharedProject = view(projectNoun, { only: customersColumns, more });
export const PortalProject = restrict(SharedProject, ownCompany);
/** Project as technicians see it. */
export const ProjectItem = view(projectNoun, { only: [...customersColumns, 'project_manager_id', 'notes'], more });

function readTechnicians({ app, db }: Context, ids: readonly number[]) {
  return app.names.get(db, TechnicianNames, ids);
}

/** Returns the progress in percent: the share of approved milestones (PR-08). */
async function readProgress(ctx: Context, ids: readonly number[]) {
  const figuresOf = await readStatistics(ctx, Project, ids, ['milestones', 'approved_milestones']);
  return {
    get(id: number) {
      const { milestones, approved_milestones } = figuresOf(id);
      return milestones === 0 ? 0 : Math.floor((100 * approved_milestones) / milestones);
    },
  };
}

async function countOverdue(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.query<{
    project_id: number;
    n: unknown;
  }>(sql`SELECT project_id, COUNT(*) AS n FROM milestone
    WHERE project_id IN ${listed(ids)} AND awaited_on < ${today(ctx)} AND deleted_at IS NULL GROUP BY project_id`);
  return new Map(rows.map(({ project_id, n }) => [project_id, Number(n)]));
}
