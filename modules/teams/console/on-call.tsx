// Who is on call, now and in the coming weeks.
import {
  Bones,
  Button,
  Card,
  Dialog,
  Empty,
  Failed,
  Form,
  Link,
  moment,
  RecordField,
  Sheet,
  TextField,
  texts,
  Timeline,
  useChange,
  useFinish,
  useItem,
  useMay,
  type Row,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';

const READ = 'GET /teams/on-call.php';
type Team = Row<typeof READ>;

export default function OnCall() {
  const { data, error, refetch } = useItem(READ);
  return (
    <Sheet title={t('On call')}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bones />
      ) : data.length === 0 ? (
        <Empty
          icon="phone"
          title={t('No team has an on-call rota. Set its first day in the team and positions in its members.')}
        />
      ) : (
        data.map((each) => <OneTeam key={each.team_id} team={each} />)
      )}
    </Sheet>
  );
}

function OneTeam({ team }: { team: Team }) {
  const writes = useMay()('teams:write');
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Card
      title={<Link href={`/teams/${team.team_id}`}>{team.team_name}</Link>}
      act={
        writes && (
          <Button icon="plus" onClick={() => setOpen(true)}>
            {t('Add override')}
          </Button>
        )
      }
    >
      <p>
        {rich('{technician_name} is on call now', { technician_name: <b>{team.technician_name ?? t('Nobody')}</b> })}
      </p>
      <Timeline label={t('Shifts of {team_name}', { team_name: team.team_name })} rows={team.shifts.map(rowOf)} />
      <Dialog title={t('Override for {team_name}', { team_name: team.team_name })} open={open} onClose={close}>
        <Override team={team} done={close} />
      </Dialog>
    </Card>
  );
}

type Shift = Team['shifts'][number];

function rowOf({ starts_at, ends_at, technician_name, override_id }: Shift, index: number) {
  return {
    id: index,
    title: technician_name ?? t('Nobody'),
    start: localDay(starts_at),
    end: localDay(ends_at),
    span: `${moment(starts_at)} – ${moment(ends_at)}`,
    tone: technician_name === null ? ('danger' as const) : override_id ? ('warn' as const) : ('accent' as const),
    ...(override_id && { said: t('override') }),
  };
}

const localDay = (at: string): string => new Date(at).toLocaleDateString('sv');

function Override({ team: { team_id }, done }: { team: Team; done: () => void }) {
  const finish = useFinish(done);
  const create = useChange('POST /teams/overrides.php', {
    quiet: true,
    touches: ['/teams/'],
    done: () => finish(t('Override added')),
  });
  const submit = (given: FormData) => {
    const { starts_at, ends_at, note } = texts(given, 'starts_at', 'ends_at', 'note');
    const user_id = Number(given.get('user_id'));
    const at = (local: string) => new Date(local).toISOString();
    create.mutate({ body: { team_id, user_id, starts_at: at(starts_at), ends_at: at(ends_at), note } });
  };
  return (
    <Form submit={t('Add override')} busy={create.isPending} error={create.error} onCancel={done} onSubmit={submit}>
      <RecordField type="technician" name="user_id" label={t('Technician')} required />
      <TextField name="starts_at" label={t('Starts')} type="datetime-local" required />
      <TextField name="ends_at" label={t('Ends')} type="datetime-local" required />
      <TextField name="note" label={t('Note')} max={255} />
    </Form>
  );
}
