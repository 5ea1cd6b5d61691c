// Who is on call: now, and in the weeks to come.
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
  toast,
  useChange,
  useItem,
  useMay,
  type Row,
} from '@keelson/web';
import { useState } from 'react';

const READ = 'GET /teams/on-call.php';
type Team = Row<typeof READ>;

export default function OnCall() {
  const { data, error, refetch } = useItem(READ);
  return (
    <Sheet title="On call">
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bones />
      ) : data.length === 0 ? (
        <Empty
          icon="phone"
          title="No team has an on-call rota. Set its first day at the team and positions at its members."
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
            Add override
          </Button>
        )
      }
    >
      <p>
        <b>{team.technician_name ?? 'Nobody'}</b> is on call now
      </p>
      <Timeline label={`Shifts of ${team.team_name}`} rows={team.shifts.map(rowOf)} />
      <Dialog title={`Override for ${team.team_name}`} open={open} onClose={close}>
        <Override team={team} done={close} />
      </Dialog>
    </Card>
  );
}

type Shift = Team['shifts'][number];

function rowOf({ starts_at, ends_at, technician_name, override_id }: Shift, index: number) {
  return {
    id: index,
    title: technician_name ?? 'Nobody',
    start: localDay(starts_at),
    end: localDay(ends_at),
    span: `${moment(starts_at)} – ${moment(ends_at)}`,
    tone: technician_name === null ? ('danger' as const) : override_id ? ('warn' as const) : ('accent' as const),
    ...(override_id && { said: 'override' }),
  };
}

const localDay = (at: string): string => new Date(at).toLocaleDateString('sv');

const names = ['user_id', 'starts_at', 'ends_at', 'note'];

function Override({ team: { team_id }, done }: { team: Team; done: () => void }) {
  const create = useChange('POST /teams/overrides.php', {
    quiet: true,
    touches: ['/teams/'],
    done: () => {
      toast('Override added');
      done();
    },
  });
  const submit = (given: FormData) => {
    const { starts_at, ends_at, note } = texts(given, 'starts_at', 'ends_at', 'note');
    const user_id = Number(given.get('user_id'));
    const at = (local: string) => new Date(local).toISOString();
    create.mutate({ body: { team_id, user_id, starts_at: at(starts_at), ends_at: at(ends_at), note } });
  };
  return (
    <Form
      submit="Add override"
      names={names}
      busy={create.isPending}
      error={create.error}
      onCancel={done}
      onSubmit={submit}
    >
      <RecordField type="technician" name="user_id" label="Technician" required />
      <TextField name="starts_at" label="Starts" type="datetime-local" required />
      <TextField name="ends_at" label="Ends" type="datetime-local" required />
      <TextField name="note" label="Note" max={255} />
    </Form>
  );
}
