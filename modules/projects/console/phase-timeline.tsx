import { Timeline, t } from '@keelson/web';
import { milestoneStates, phaseStates, type Milestone, type Project } from './look.tsx';

/** Phases over time, with the due dates of their milestones. */
export function PhaseTimeline({ project }: { project: Project }) {
  const { name, phases, milestones, start_date, due_date } = project;
  const marksOf = (wanted: readonly Milestone[]) =>
    wanted.flatMap(({ name: title, due_date: day, overdue, status }) =>
      day ? [{ day, title, tone: overdue ? ('danger' as const) : milestoneStates[status].tone }] : [],
    );
  const loose = milestones.filter((each) => each.phase_id === null);
  return (
    <Timeline
      label={t('Phases over time')}
      rows={[
        {
          id: 'project',
          title: name,
          start: start_date,
          end: due_date,
          said: t('whole project'),
          marks: marksOf(loose),
        },
        ...phases.map((each) => ({
          id: each.phase_id,
          title: each.name,
          start: each.start_date,
          end: each.due_date,
          said: phaseStates[each.status].title,
          tone: phaseStates[each.status].tone,
          marks: marksOf(milestones.filter(({ phase_id }) => phase_id === each.phase_id)),
        })),
      ]}
    />
  );
}
