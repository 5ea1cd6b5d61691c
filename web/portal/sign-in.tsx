// Portal sign-in with a password and optional second factor, or through the company's identity provider.
import { useState } from 'react';
import { Mark } from '../console/mark.tsx';
import { Button } from '../kit/components/parts.tsx';
import { Form, rawText, TextField } from '../kit/form/form.tsx';
import { usePageTitle } from '../kit/list/list-page.tsx';
import { ask, useAnswer } from '../kit/request/client.ts';
import { Refused } from '../kit/request/refused.ts';
import { t } from '../kit/shell/words.ts';

/** Allows only portal pages, to prevent open redirects. */
function nextAddress(): string {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/helpdesk(?:\/(?!\/|api\/)[\w./~-]*)?(?:\?[\w./?&=~%+-]*)?$/.test(next) ? next : '/helpdesk';
}

/** Returns the error that an identity provider redirected back with. */
function refusedBefore(): Error | null {
  const reason = new URLSearchParams(location.search).get('error');
  if (reason === null) return null;
  return new Error(
    reason === 'access_denied' ? t('No account found for this sign-in.') : t('Sign-in failed. Try again.'),
  );
}

interface Given {
  readonly username: string;
  readonly password: string;
}

export function SignIn() {
  const { data } = useAnswer('GET /bootstrap');
  const tenant = tenantOf(data);
  const [error, setError] = useState<Error | null>(refusedBefore);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Given>();
  usePageTitle(t('Sign in – {tenant}', { tenant }));

  const signIn = async (given: Given & { otp?: string; recovery_code?: string }) => {
    setBusy(true);
    try {
      await ask('POST /auth/login', { body: given, patient: false });
      location.assign(nextAddress());
    } catch (refusal) {
      const asksForCode =
        refusal instanceof Refused && (refusal.answer as { mfa_required?: boolean } | null)?.mfa_required;
      if (asksForCode) setWaiting({ username: given.username, password: given.password });
      setError(asksForCode && !waiting ? null : (refusal as Error));
      setBusy(false);
    }
  };

  return (
    <main className="sign-in">
      <div className="brand">
        <Mark />
        <span>{tenant}</span>
      </div>
      {waiting ? (
        <>
          <h1>{t('Enter your code')}</h1>
          <p>{t('Use a code from your authenticator app or a recovery code.')}</p>
          <Form
            submit={t('Sign in')}
            busy={busy}
            error={error}
            onCancel={() => setWaiting(undefined)}
            onSubmit={(given) => void signIn({ ...waiting, ...codeOf(given) })}
          >
            <TextField name="code" label={t('Code')} required autoFocus autoComplete="one-time-code" max={100} />
          </Form>
        </>
      ) : (
        <>
          <h1>{t('Sign in')}</h1>
          <Form
            submit={t('Sign in')}
            busy={busy}
            error={error}
            onSubmit={(given) =>
              void signIn({ username: rawText(given, 'username'), password: rawText(given, 'password') })
            }
          >
            <TextField
              name="username"
              label={t('Email address')}
              type="email"
              required
              autoFocus
              autoComplete="username"
              max={254}
            />
            <TextField name="password" label={t('Password')} type="password" required autoComplete="current-password" />
          </Form>
          <Providers />
          <p>
            <a href="/helpdesk/forgotten">{t('Forgot your password?')}</a>
          </p>
        </>
      )}
    </main>
  );
}

function codeOf(given: FormData): { otp: string } | { recovery_code: string } {
  const code = rawText(given, 'code').trim();
  return /^\d[\d ]{4,}\d$/.test(code) ? { otp: code.replaceAll(' ', '') } : { recovery_code: code };
}

interface Provider {
  readonly key: string;
  readonly name: string;
}

function Providers() {
  const { data } = useAnswer('GET /auth/oauth/providers');
  const providers = (data as { providers?: readonly Provider[] } | undefined)?.providers ?? [];
  const go = async (provider: string) => {
    const answer = await ask('GET /auth/oauth/authorize', { provider, redirect_uri: nextAddress() });
    location.assign((answer as { authorization_url: string }).authorization_url);
  };
  return (
    <div className="providers">
      {providers.map(({ key, name }) => (
        <Button key={key} onClick={() => void go(key)}>
          {t('Continue with {name}', { name })}
        </Button>
      ))}
    </div>
  );
}

function tenantOf(data: unknown): string {
  const branding = (data as { branding?: { company_name?: string; name?: string } } | undefined)?.branding;
  return branding?.company_name ?? branding?.name ?? t('Helpdesk');
}
