// All projects at a glance: a board by status, or a timeline.
import {
  Badge,
  Board,
  Failed,
  firstRows,
  Link,
  LinkButton,
  Loaded,
  number,
  Sheet,
  Tabs,
  Time,
  Timeline,
  toast,
  useChange,
  useFirstRows,
  useMay,
  useMovedCards,
  usePages,
  type Row,
  rich,
  t,
  percent,
} from '@keelson/web';
import { touches } from './changes.tsx';
import { projectStates, type Project, UPDATE } from './look.tsx';

const LIST = 'GET /projects.php';
type Item = Row<typeof LIST>;
const SHOWN = 50;
const statuses = Object.keys(projectStates) as Project['status'][];

export default function ProjectBoard() {
  return (
    <Sheet
      title={t('Project board')}
      acts={
        <LinkButton to="/projects" icon="list">
          {t('Table')}
        </LinkButton>
      }
    >
      <Tabs
        label={t('Projects')}
        addressed
        tabs={[
          { id: 'board', title: t('Board'), body: () => <ByStatus /> },
          { id: 'timeline', title: t('Timeline'), body: () => <OverTime /> },
        ]}
      />
    </Sheet>
  );
}

function ByStatus() {
  const may = useMay()('tickets:write');
  const lists = useFirstRows(
    LIST,
    statuses.map((status) => ({ status })),
  );
  const { moved, show } = useMovedCards<Item>((each) => each.project_id);
  const update = useChange(UPDATE, { touches, inOrder: true });
  const put = (row: Item, status: Project['status'], done?: () => void) =>
    show({ ...row, status }, update.mutateAsync({ id: row.project_id, body: { status } }), done);
  const move = (row: Item, to: string) => {
    const status = to as Project['status'];
    put(row, status, () =>
      toast(`${projectStates[status].title}: ${row.name}`, {
        act: { title: t('Undo'), run: () => put({ ...row, status }, row.status) },
      }),
    );
  };
  return (
    <Board
      label={t('Projects by status')}
      id={(each) => each.project_id}
      name={(each) => each.name}
      onMove={may ? move : undefined}
      card={(each) => <Card project={each} />}
      columns={statuses.map((status, index) => {
        const list = lists[index];
        const arrived = [...moved.values()].filter((each) => each.status === status);
        return {
          id: status,
          title: projectStates[status].title,
          cards: [...arrived, ...(list?.rows ?? []).filter((each) => !moved.has(each.project_id)).slice(0, SHOWN)],
          sum: <span className="tone-muted">{number(list?.total ?? 0)}</span>,
          foot: list?.error ? (
            <Failed error={list.error} retry={list.retry} />
          ) : list && list.total > SHOWN ? (
            <Link href={`/projects?status=${status}`}>{t('All {total}', { total: number(list.total) })}</Link>
          ) : null,
        };
      })}
    />
  );
}

function Card({ project }: { project: Item }) {
  return (
    <>
      <Link href={`/projects/${project.project_id}`} draggable={false}>
        {project.name}
      </Link>
      <span className="tone-muted">{project.company_name}</span>
      <span className="tone-muted">
        {percent(project.progress_percent)}
        {project.due_date && <>{rich(', due {time}', { time: <Time at={project.due_date} /> })}</>}
      </span>
      {project.overdue_milestones > 0 && (
        <Badge tone="danger">
          {t('{overdue_milestones} overdue', { overdue_milestones: project.overdue_milestones })}
        </Badge>
      )}
    </>
  );
}

function OverTime() {
  const list = usePages(LIST, { status: 'active' });
  const planned = usePages(LIST, { status: 'planning' });
  const rows = [...firstRows(list, SHOWN), ...firstRows(planned, SHOWN)];
  const none = rows.length === 0;
  return (
    <Loaded list={[list, planned]}>
      {none && <p className="none">{t('No active or planned projects.')}</p>}
      {!none && (
        <Timeline
          label={t('Active and planned projects')}
          rows={rows.map((each) => ({
            id: each.project_id,
            title: each.name,
            to: `/projects/${each.project_id}`,
            start: each.start_date,
            end: each.due_date,
            said: `${each.company_name}, ${percent(each.progress_percent)}`,
            tone: each.overdue_milestones > 0 ? ('danger' as const) : projectStates[each.status].tone,
          }))}
        />
      )}
      {list.total > SHOWN && (
        <p className="none">
          <Link href="/projects?status=active">{t('All {total} active projects', { total: number(list.total) })}</Link>
        </p>
      )}
    </Loaded>
  );
}
