import { Bones, date, Empty, Failed, Line, Lines, Sheet, useItem, type Row, t, percent } from '@keelson/web';
import { State } from './look.tsx';

type ProjectRow = Row<'GET /projects'>;

export default function Projects() {
  const { data, error, refetch } = useItem('GET /projects');
  const all: readonly ProjectRow[] = data?.projects ?? [];
  const parts: readonly (readonly [string, readonly ProjectRow[]])[] = [
    [t('Current'), all.filter(({ status }) => status !== 'completed' && status !== 'cancelled')],
    [t('Over'), all.filter(({ status }) => status === 'completed' || status === 'cancelled')],
  ];
  return (
    <Sheet title={t('Projects')}>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={8} />}
      {data && all.length === 0 && <Empty icon="flag" title={t('No projects yet.')} />}
      {parts.map(
        ([title, projects]) =>
          projects.length > 0 && (
            <Lines key={title} title={title}>
              {projects.map((each) => (
                <Line
                  key={each.project_id}
                  title={each.name}
                  to={`/projects/${each.project_id}`}
                  about={[
                    t('{progress} done', { progress: percent(each.progress_percent) }),
                    each.due_date && t('until {date}', { date: date(each.due_date) }),
                    each.project_manager && t('led by {project_manager}', { project_manager: each.project_manager }),
                    each.overdue_milestones > 0 && (
                      <span key="late" className="tone-danger">
                        {t('{overdue_milestones} late', { overdue_milestones: each.overdue_milestones })}
                      </span>
                    ),
                  ]}
                  end={<State of={each.status} />}
                />
              ))}
            </Lines>
          ),
      )}
    </Sheet>
  );
}
