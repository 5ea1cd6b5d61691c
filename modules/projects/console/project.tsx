// Project page: plan, timeline and punch list, edited in place.
import {
  Button,
  confirm,
  Menu,
  RecordPage,
  RecordPending,
  Tabs,
  toast,
  useChange,
  useItem,
  useGo,
  useMay,
  t,
} from '@keelson/web';
import { save, touches } from './changes.tsx';
import { choicesOf, projectStates, READ, State, UPDATE, type Project } from './look.tsx';
import { PhaseTimeline } from './phase-timeline.tsx';
import { Plan } from './plan.tsx';
import { ProjectSide, ProjectTexts } from './project-side.tsx';
import { PunchList } from './punch-list.tsx';

const back = { to: '/projects', title: t('Back to projects') };

export default function ProjectPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem(READ, { id });
  const writes = useMay()('tickets:write');
  if (!data) return <RecordPending title={t('Project')} back={back} error={error} retry={() => void refetch()} />;
  const open = data.punch_list.filter((each) => each.status !== 'closed').length;
  return (
    <RecordPage
      title={data.name}
      rename={writes ? { label: t('Name'), save: (name) => save(UPDATE, { id, body: { name } }) } : undefined}
      back={back}
      acts={writes ? <Acts project={data} /> : <State of={projectStates[data.status]} />}
      side={<ProjectSide project={data} writes={writes} />}
    >
      <Tabs
        label={t('Project')}
        addressed
        tabs={[
          { id: 'plan', title: t('Plan'), body: () => <Plan project={data} writes={writes} /> },
          { id: 'timeline', title: t('Timeline'), body: () => <PhaseTimeline project={data} /> },
          {
            id: 'punch-list',
            title: (
              <>
                {t('Punch list')} {open > 0 && <small aria-label={t('{open} open', { open })}>{open}</small>}
              </>
            ),
            body: () => <PunchList project={data} writes={writes} />,
          },
          { id: 'description', title: t('Description'), body: () => <ProjectTexts project={data} writes={writes} /> },
        ]}
      />
    </RecordPage>
  );
}

function Acts({ project }: { project: Project }) {
  const { project_id: id, name, status } = project;
  const go = useGo();
  const update = useChange(UPDATE, { touches });
  const remove = useChange('DELETE /projects.php?id={id}', { touches, done: () => go(back.to) });
  const move = (to: Project['status']) =>
    update.mutate(
      { id, body: { status: to } },
      {
        onSuccess: () =>
          toast(`${projectStates[to].title}: ${name}`, {
            act: { title: t('Undo'), run: () => update.mutate({ id, body: { status } }) },
          }),
      },
    );
  const complete = async () => {
    const left = unfinished(project);
    if (left && !(await confirm({ title: t('Complete project?'), text: left, act: t('Complete') }))) return;
    move('completed');
  };
  const onDelete = async () => {
    const text = t('Its phases, milestones and punch list will be deleted too. This cannot be undone.');
    if (await confirm({ title: t('Delete {name}?', { name }), text, act: t('Delete'), danger: true }))
      remove.mutate({ id });
  };
  const done = status === 'completed' || status === 'cancelled';
  return (
    <>
      <Menu label={t('Status')} value={status} choices={choicesOf(projectStates)} onChoose={move}>
        <State of={projectStates[status]} />
      </Menu>
      {!done && (
        <Button look="primary" icon="check" disabled={update.isPending} onClick={() => void complete()}>
          {t('Complete')}
        </Button>
      )}
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void onDelete()}>
        {t('Delete')}
      </Button>
    </>
  );
}

/** Describes unfinished parts; empty if there are none. */
function unfinished({ milestones, punch_list }: Project): string {
  const waiting = milestones.filter((each) => each.status !== 'approved').length;
  const open = punch_list.filter((each) => each.status !== 'closed').length;
  const said = [
    waiting > 0 &&
      t('{count, plural, one {# milestone is} other {# milestones are}} not approved.', { count: waiting }),
    open > 0 &&
      t('{count, plural, one {# punch-list item is} other {# punch-list items are}} not closed.', { count: open }),
  ];
  return said.filter(Boolean).join(' ');
}
