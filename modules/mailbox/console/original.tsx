// An original mail: headers, text, and its HTML in a frame that runs no scripts.
import { Button, Fact, Facts, hrefOf, Icon, Note, RecordPending, t, useItem } from '@keelson/web';
import { useState } from 'react';

export function Original({ id }: { id: number }) {
  const { data: mail, error, refetch } = useItem('GET /mailboxes/messages.php?action=original&id={id}', { id });
  const [pictures, setPictures] = useState(false);
  const [plain, setPlain] = useState(false);
  if (error || !mail) return <RecordPending title={t('Original')} error={error} retry={() => void refetch()} />;
  if (mail.unreadable !== null) return <Unreadable id={id} why={mail.unreadable} kept={mail.kept} />;
  if (!mail.kept) return <Note tone="muted">{t('The original was deleted after 90 days.')}</Note>;
  const html = mail.has_html && !plain;
  const address = `/admin/api/v1/mailboxes/messages.php?action=original-html&id=${id}&pictures=${pictures}`;
  return (
    <div className="mail-original">
      <Facts>
        {mail.headers.map(({ name, value }: { name: string; value: string }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name={t('Authentication')}>{mail.authentication ?? t('Not checked by your mail server')}</Fact>
        <Fact name={t('Files')}>{mail.files.map((each: { name: string }) => each.name).join(', ')}</Fact>
      </Facts>
      {html && mail.pictures > 0 && !pictures && (
        <Note
          tone="muted"
          title={t('{count, plural, one {# remote image is blocked.} other {# remote images are blocked.}}', {
            count: mail.pictures,
          })}
          act={{ title: t('Load images'), run: () => setPictures(true) }}
        >
          {t('Loading images lets the sender know the mail was opened.')}
        </Note>
      )}
      {html ? (
        <iframe
          title={t('Original mail')}
          src={address}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
        />
      ) : (
        <p className="text">{mail.text || t('This mail has no text.')}</p>
      )}
      <Download id={id} />
      {mail.has_html && mail.text !== '' && (
        <Button size="small" look="quiet" onClick={() => setPlain(!plain)}>
          {plain ? t('Show HTML') : t('Show plain text')}
        </Button>
      )}
    </div>
  );
}

/** Why a mail cannot be shown, and its original as a file. */
export function Unreadable({ id, why, kept }: { id: number; why: string; kept: boolean }) {
  return (
    <>
      <Note tone="warn" title={t('This mail could not be read.')}>
        {why}.
      </Note>
      {kept && <Download id={id} />}
    </>
  );
}

function Download({ id }: { id: number }) {
  return (
    <a
      className="button small"
      href={hrefOf('GET /mailboxes/messages.php?action=download&id={id}', { id })}
      download={`mail-${id}.eml`}
    >
      <Icon name="download" /> {t('Download original')}
    </a>
  );
}
