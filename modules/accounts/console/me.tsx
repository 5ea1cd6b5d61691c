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
  rich,
  withinSentence,
  words,
} from '@keelson/web';

const IDENTITIES = 'GET /technicians.php?action=identities';
const SESSIONS = 'GET /technicians.php?action=sessions';

export default function Me() {
  const { person } = useSession();
  const { single_keys } = usePreferences();
  const status = useChange('PUT /technicians.php?action=status', {
    done: (data) => toast(t('You are {status}', { status: withinSentence(words(data.status)) })),
  });
  return (
    <Sheet
      title={t('My account')}
      acts={
        <>
          <Button onClick={() => status.mutate({ body: { status: 'available' } })}>{t('Available')}</Button>
          <Button onClick={() => status.mutate({ body: { status: 'busy' } })}>{t('Busy')}</Button>
        </>
      }
    >
      <Card title={person.name}>
        <Facts>
          <Fact name={t('Email')}>{person.email}</Fact>
          <Fact name={t('Role')}>{words(person.role)}</Fact>
          <Fact name={t('Two-factor authentication')}>
            <a href="/admin/second-factor">{t('Manage')}</a>
          </Fact>
          <Fact name={t('Language')}>
            <Language />
          </Fact>
          <Fact name={t('Keyboard shortcuts')}>
            <label>
              <input
                type="checkbox"
                checked={single_keys}
                onChange={(event) => changePreferences({ single_keys: event.target.checked })}
              />{' '}
              {rich('Enable single-key shortcuts such as r and n. Press {kbd} anywhere to see and change them.', {
                kbd: <kbd>?</kbd>,
              })}
            </label>
          </Fact>
        </Facts>
      </Card>
      <Sessions />
      <Identities />
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
    done: () => toast(t('Session ended')),
  });
  const endAll = useChange('DELETE /technicians.php?action=sessions', {
    touches,
    done: () => toast(t('Signed out of all other sessions')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card
      title={t('Active sessions')}
      flush
      act={
        <Button size="small" onClick={() => endAll.mutate({})}>
          {t('Sign out all other sessions')}
        </Button>
      }
    >
      <SimpleTable
        label={t('Sessions')}
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
          { key: 'ip', title: t('Address'), width: '', cell: (each) => each.ip_address },
          { key: 'since', title: t('Since'), width: '', cell: (each) => <Time at={each.created_at} /> },
          { key: 'used', title: t('Last used'), width: '', cell: (each) => <Time at={each.last_used_at} /> },
          {
            key: 'end',
            title: t('End'),
            untitled: true,
            width: '',
            look: 'right',
            cell: (each) =>
              each.current ? (
                <Badge tone="ok">{t('This session')}</Badge>
              ) : (
                <Button size="small" onClick={() => end.mutate({ session_id: each.session_id })}>
                  {t('Sign out')}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** Shown only to people who have signed in with an identity provider. */
function Identities() {
  const { data } = useItem(IDENTITIES);
  const unlink = useChange('DELETE /technicians.php?action=identities&identity_id={identity_id}', {
    touches: ['/technicians.php'],
    done: () => toast(t('Identity provider unlinked')),
  });
  if (!data || data.length === 0) return null;
  return (
    <Card title={t('Linked identity providers')} flush>
      <SimpleTable
        label={t('Linked identity providers')}
        rows={data}
        columns={[
          { key: 'issuer', title: t('Issuer'), width: '', cell: (each) => each.issuer },
          { key: 'since', title: t('Since'), width: '', cell: (each) => <Time at={each.created_at} /> },
          { key: 'used', title: t('Last used'), width: '', cell: (each) => <Time at={each.last_used_at} /> },
          {
            key: 'unlink',
            title: t('Unlink'),
            untitled: true,
            width: '',
            look: 'right',
            cell: (each) => (
              <Button size="small" onClick={() => unlink.mutate({ identity_id: each.identity_id })}>
                {t('Unlink')}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}
