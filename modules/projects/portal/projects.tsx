import { Bones, date, Empty, Failed, Line, Lines, Sheet, useItem, type Row } from '@keelson/web';
import { State } from './look.tsx';

type ProjectRow = Row<'GET /projects'>;

export default function Projects() {
  const { data, error, refetch } = useItem('GET /projects');
  const all: readonly ProjectRow[] = data?.projects ?? [];
  const parts: readonly (readonly [string, readonly ProjectRow[]])[] = [
    ['Current', all.filter(({ status }) => status !== 'completed' && status !== 'cancelled')],
    ['Over', all.filter(({ status }) => status === 'completed' || status === 'cancelled')],
  ];
  return (
    <Sheet title="Projects">
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={8} />}
      {data && all.length === 0 && <Empty icon="flag" title="No projects yet." />}
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
                    `${each.progress_percent} % done`,
                    each.due_date && `until ${date(each.due_date)}`,
                    each.project_manager && `led by ${each.project_manager}`,
                    each.overdue_milestones > 0 && (
                      <span key="late" className="tone-danger">
                        {each.overdue_milestones} late
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
