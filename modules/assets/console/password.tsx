import { Button, copy, IconButton, useChange, type Data, t } from '@keelson/web';
import { useEffect, useState } from 'react';

type Credential = Data<'GET /assets.php?id={id}'>['credentials'][number];

/** How long a revealed password stays visible. */
const SHOWN_MS = 30_000;

/** A masked password. Revealing it writes the activity log first; it is hidden again after a while. */
export function Password({ credential: { asset_id, login_id, label, has_password }, may }: PasswordProps) {
  const [shown, setShown] = useState<string>();
  const reveal = useChange('POST /assets.php?action=credential-reveal&id={id}&login_id={login_id}', {
    touches: ['credential-history'],
    done: ({ password }) => setShown(password ?? ''),
  });
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!has_password) return <span className="tone-muted">{t('None')}</span>;
  if (shown === undefined)
    return (
      <span className="password">
        <span aria-label={t('Hidden')}>••••••••</span>
        {may && (
          <Button
            size="small"
            icon="eye"
            disabled={reveal.isPending}
            onClick={() => reveal.mutate({ id: asset_id, login_id })}
          >
            {t('Reveal')} <span className="hidden">{label}</span>
          </Button>
        )}
      </span>
    );
  return (
    <span className="password">
      <code>{shown}</code>
      <IconButton icon="copy" label={t('Copy the password of {label}', { label })} onClick={() => copy(shown)} />
      <IconButton
        icon="eye-off"
        label={t('Hide the password of {label}', { label })}
        onClick={() => setShown(undefined)}
      />
    </span>
  );
}

interface PasswordProps {
  readonly credential: Credential;
  readonly may: boolean;
}
