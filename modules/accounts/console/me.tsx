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
  chosenLanguage,
  languageChoices,
  SelectField,
  t,
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
          <Fact name="Email">{person.email}</Fact>
          <Fact name="Role">{person.role}</Fact>
          <Fact name="Two-factor authentication">
            <a href="/admin/second-factor">Manage</a>
          </Fact>
          <Fact name={t('Language')}>
            <Language />
          </Fact>
          <Fact name="Keyboard shortcuts">
            <label>
              <input
                type="checkbox"
                checked={single_keys}
                onChange={(event) => changePreferences({ single_keys: event.target.checked })}
              />{' '}
              Enable single-key shortcuts such as r and n. Press <kbd>?</kbd> anywhere to see and change them.
            </label>
          </Fact>
        </Facts>
      </Card>
      <Sessions />
    </Sheet>
  );
}

function Language() {
  const { data } = useItem('GET /technicians.php?action=language');
  const save = useChange('PUT /technicians.php?action=language', {
    quiet: true,
    touches: ['action=language', '/console.php'],
    done: () => toast(t('Saved')),
  });
  if (!data) return null;
  return (
    <SelectField
      name="language"
      label={t('Language of pages and emails')}
      value={data.language}
      choices={languageChoices}
      none={t('Default')}
      onChoose={(language) => save.mutate({ body: { language: chosenLanguage(language) } })}
    />
  );
}

function Sessions() {
  const { data, error } = useItem(SESSIONS);
  const touches = ['/technicians.php'];
  const end = useChange('DELETE /technicians.php?action=sessions&session_id={session_id}', {
    touches,
    done: () => toast('Session ended'),
  });
  const endAll = useChange('DELETE /technicians.php?action=sessions', {
    touches,
    done: () => toast('Signed out of all other sessions'),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card
      title="Active sessions"
      flush
      act={
        <Button size="small" onClick={() => endAll.mutate({})}>
          Sign out all other sessions
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
          { key: 'used', title: 'Last used', width: '', cell: (each) => <Time at={each.last_used_at} /> },
          {
            key: 'end',
            title: 'End',
            untitled: true,
            width: '',
            look: 'right',
            cell: (each) =>
              each.current ? (
                <Badge tone="ok">This session</Badge>
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
