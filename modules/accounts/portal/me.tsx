// The employee's own account page: profile, password, second factor and sessions.
import {
  ask,
  Bones,
  Button,
  Card,
  changedIn,
  Failed,
  Form,
  chosenLanguage,
  languageChoices,
  SelectField,
  Sheet,
  TextField,
  texts,
  Time,
  toast,
  toastError,
  useChange,
  useItem,
  rawText,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { SecondFactor } from './second-factor.tsx';

const profileFields = ['first_name', 'last_name', 'title', 'phone', 'mobile'] as const;

export default function Me() {
  return (
    <Sheet
      title={t('My account')}
      acts={
        <Button
          icon="log-out"
          onClick={() =>
            void ask('POST /auth/logout', { body: {} }).then(() => location.assign('/helpdesk/sign-in'), toastError)
          }
        >
          {t('Sign out')}
        </Button>
      }
    >
      <Profile />
      <Language />
      <Password />
      <SecondFactor />
      <Sessions />
    </Sheet>
  );
}

function Profile() {
  const { data, error, refetch } = useItem('GET /auth/profile');
  const save = useChange('PUT /auth/profile', {
    quiet: true,
    touches: ['/auth/profile'],
    done: () => toast(t('Saved')),
  });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Bones rows={6} />;
  return (
    <Card title={t('Profile')}>
      <p className="tone-muted">
        {data.email} · {data.company_name}
        {data.site_name && ` · ${data.site_name}`}
      </p>
      <Form
        submit={t('Save')}
        busy={save.isPending}
        error={save.error}
        onSubmit={(given, opened) => {
          const body = changedIn(texts(given, ...profileFields), texts(opened, ...profileFields));
          if (Object.keys(body).length === 0) toast(t('Saved'));
          else save.mutate({ body });
        }}
      >
        <div className="me-pair">
          <TextField
            name="first_name"
            label={t('First name')}
            required
            value={data.first_name}
            autoComplete="given-name"
          />
          <TextField
            name="last_name"
            label={t('Last name')}
            required
            value={data.last_name}
            autoComplete="family-name"
          />
          <TextField name="title" label={t('Job title')} value={data.title} />
          <TextField name="phone" label={t('Phone')} type="tel" value={data.phone} autoComplete="tel" />
          <TextField name="mobile" label={t('Mobile phone')} type="tel" value={data.mobile} />
        </div>
      </Form>
    </Card>
  );
}

function Language() {
  const { data } = useItem('GET /auth/language');
  const save = useChange('PUT /auth/language', { quiet: true, touches: ['/auth/language', '/portal'] });
  if (!data) return null;
  return (
    <Card title={t('Language')}>
      <SelectField
        name="language"
        label={t('Language of pages and emails')}
        value={data.language}
        choices={languageChoices}
        none={t('Same as your company')}
        onChoose={(language) => save.mutate({ body: { language: chosenLanguage(language) } })}
      />
    </Card>
  );
}

function Password() {
  const [round, setRound] = useState(0);
  const change = useChange('POST /auth/change-password', {
    quiet: true,
    touches: ['/auth/sessions'],
    done: () => {
      setRound((now) => now + 1);
      toast(t('Password changed'));
    },
  });
  return (
    <Card title={t('Password')}>
      <Form
        key={round}
        submit={t('Change password')}
        busy={change.isPending}
        error={change.error}
        onSubmit={(given) =>
          change.mutate({
            // A password may begin or end with a space.
            body: {
              current_password: rawText(given, 'current_password'),
              new_password: rawText(given, 'new_password'),
            },
          })
        }
      >
        <div className="me-pair">
          <TextField
            name="current_password"
            label={t('Current password')}
            type="password"
            required
            autoComplete="current-password"
          />
          <TextField
            name="new_password"
            label={t('New password')}
            type="password"
            required
            autoComplete="new-password"
          />
        </div>
      </Form>
    </Card>
  );
}

interface Session {
  readonly session_id: number;
  readonly ip_address: string;
  readonly last_used_at: string;
  readonly current: boolean;
}

function Sessions() {
  const sessions: readonly Session[] = useItem('GET /auth/sessions').data?.sessions ?? [];
  const touches = ['/auth/sessions'];
  const end = useChange('DELETE /auth/sessions/{session_id}', { touches, done: () => toast(t('Session ended')) });
  const endAll = useChange('DELETE /auth/sessions', {
    touches,
    done: () => toast(t('Signed out of all other sessions')),
  });
  if (sessions.length === 0) return null;
  return (
    <Card
      title={t('Signed in')}
      act={
        sessions.length > 1 && (
          <Button size="small" onClick={() => endAll.mutate({})}>
            {t('Sign out all other sessions')}
          </Button>
        )
      }
    >
      <ul className="sessions">
        {sessions.map(({ session_id, ip_address, last_used_at, current }) => (
          <li key={session_id}>
            <span>
              <b>{ip_address}</b> <span className="tone-muted">{current ? t('here') : <Time at={last_used_at} />}</span>
            </span>
            {!current && (
              <Button size="small" onClick={() => end.mutate({ session_id })}>
                {t('Sign out')}
                <span className="hidden"> {ip_address}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
