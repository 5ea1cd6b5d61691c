// The technician's own account page: availability, sessions, second factor, keys.
import {
  Badge,
  Bones,
  Button,
  changePreferences,
  Card,
  Fact,
  Facts,
  Failed,
  Sheet,
  SimpleTable,
  Time,
  toast,
  useChange,
  useItem,
  usePreferences,
  useSession,
} from '@keelson/web';

const SESSIONS = 'GET /technicians.php?action=sessions';

export default function Me() {
  const { person } = useSession();
  const { single_keys } = usePreferences();
  const status = useChange('PUT /technicians.php?action=status', { done: (data) => toast(`You are ${data.status}`) });
  return (
    <Sheet
      title="My account"
      acts={
        <>
          <Button onClick={() => status.mutate({ body: { status: 'available' } })}>Available</Button>
          <Button onClick={() => status.mutate({ body: { status: 'busy' } })}>Busy</Button>
        </>
      }
    >
      <Card title={person.name}>
        <Facts>
          <Fact name="E-mail">{person.email}</Fact>
          <Fact name="Role">{person.role}</Fact>
          <Fact name="Second factor">
            <a href="/admin/second-factor">Set up or change</a>
          </Fact>
          <Fact name="Single keys">
            <label>
              <input
                type="checkbox"
                checked={single_keys}
                onChange={(event) => changePreferences({ single_keys: event.target.checked })}
              />{' '}
              Letters such as r and n do something. Press <kbd>?</kbd> anywhere to see and change them.
            </label>
          </Fact>
        </Facts>
      </Card>
      <Sessions />
    </Sheet>
  );
}

function Sessions() {
  const { data, error } = useItem(SESSIONS);
  const touches = ['/technicians.php'];
  const end = useChange('DELETE /technicians.php?action=sessions&session_id={session_id}', {
    touches,
    done: () => toast('Signed out there'),
  });
  const endAll = useChange('DELETE /technicians.php?action=sessions', {
    touches,
    done: () => toast('Signed out everywhere else'),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card
      title="Where you are signed in"
      flush
      act={
        <Button size="small" onClick={() => endAll.mutate({})}>
          Sign out everywhere else
        </Button>
      }
    >
      <SimpleTable
        label="Sessions"
        rows={
          data as readonly {
            session_id: number;
            ip_address: string;
            created_at: string;
            last_used_at: string;
            current: boolean;
          }[]
        }
        columns={[
          { key: 'ip', title: 'Address', width: '', cell: (each) => each.ip_address },
          { key: 'since', title: 'Since', width: '', cell: (each) => <Time at={each.created_at} /> },
          { key: 'used', title: 'Used', width: '', cell: (each) => <Time at={each.last_used_at} /> },
          {
            key: 'end',
            title: 'End',
            untitled: true,
            width: '',
            look: 'right',
            cell: (each) =>
              each.current ? (
                <Badge tone="ok">Here</Badge>
              ) : (
                <Button size="small" onClick={() => end.mutate({ session_id: each.session_id })}>
                  Sign out
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
