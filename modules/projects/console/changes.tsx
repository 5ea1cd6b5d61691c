// Optimistic changes to a project's parts, with undo in the toast.
import { call, queries, stale, toast, toastError, type Args, type Operation, t } from '@keelson/web';
import { READ, type Project } from './look.tsx';

export const touches = ['/projects.php'] as const;

/** Shows a change to the project before the server has responded, and reverts it on an error. */
async function showing(id: number, now: (project: Project) => Project, work: () => Promise<unknown>): Promise<void> {
  const key = [READ, { id }];
  const before = queries.getQueryData<Project>(key);
  if (before) queries.setQueryData(key, now(before));
  try {
    await work();
  } catch (error) {
    queries.setQueryData(key, before);
    throw error;
  } finally {
    await stale(queries, touches);
  }
}

/** Saves a part of a project. @throws Refused, which the form shows */
export async function save<O extends Operation>(operation: O, args: Args<O>): Promise<void> {
  await call(operation, args);
  await stale(queries, touches);
}

const ORDER = 'PUT /projects.php?action=phase-order&id={id}';

/** Reorders the phases. */
export function orderPhases(project: Project, phase_ids: readonly number[], name: string): void {
  const { project_id: id } = project;
  const before = project.phases.map((each) => each.phase_id);
  const put = (ids: readonly number[]) =>
    showing(
      id,
      (now) => ({ ...now, phases: now.phases.toSorted((a, b) => ids.indexOf(a.phase_id) - ids.indexOf(b.phase_id)) }),
      () => call(ORDER, { id, body: { phase_ids: [...ids] } }),
    );
  put(phase_ids).then(
    () =>
      toast(t('Moved {name}', { name }), { act: { title: t('Undo'), run: () => void put(before).catch(toastError) } }),
    toastError,
  );
}

const MILESTONE = 'PUT /projects.php?action=milestones&id={id}&milestone_id={milestone_id}';

/** Moves a milestone to a phase, or to none. */
export function moveMilestone(project: Project, milestone_id: number, phase_id: number | null): void {
  const { project_id: id } = project;
  const milestone = project.milestones.find((each) => each.milestone_id === milestone_id);
  if (!milestone || milestone.phase_id === phase_id) return;
  const put = (to: number | null) =>
    showing(
      id,
      (now) => ({
        ...now,
        milestones: now.milestones.map((each) =>
          each.milestone_id === milestone_id ? { ...each, phase_id: to } : each,
        ),
      }),
      () => call(MILESTONE, { id, milestone_id, body: { phase_id: to } }),
    );
  const phase = project.phases.find((each) => each.phase_id === phase_id)?.name;
  put(phase_id).then(
    () =>
      toast(
        phase
          ? t('Moved {name} to {phase}', { name: milestone.name, phase })
          : t('Moved {name} out of its phase', { name: milestone.name }),
        {
          act: { title: t('Undo'), run: () => void put(milestone.phase_id).catch(toastError) },
        },
      ),
    toastError,
  );
}
