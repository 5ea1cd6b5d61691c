// A mail as it was written: headers, text, and its HTML in a frame in which nothing runs.
import { Button, Fact, Facts, Note, RecordPending, useItem } from '@keelson/web';
import { useState } from 'react';

export function Original({ id }: { id: number }) {
  const { data: mail, error, refetch } = useItem('GET /mailboxes/messages.php?action=original&id={id}', { id });
  const [pictures, setPictures] = useState(false);
  const [plain, setPlain] = useState(false);
  if (error || !mail) return <RecordPending title="Original" error={error} retry={() => void refetch()} />;
  if (!mail.kept) return <Note tone="muted">The original was deleted after 90 days.</Note>;
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
        <Fact name="Authentication">{mail.authentication ?? 'Not checked by your mail server'}</Fact>
        <Fact name="Files">{mail.files.map((each: { name: string }) => each.name).join(', ')}</Fact>
      </Facts>
      {html && mail.pictures > 0 && !pictures && (
        <Note
          tone="muted"
          title={mail.pictures === 1 ? 'One remote image is blocked.' : `${mail.pictures} remote images are blocked.`}
          act={{ title: 'Load images', run: () => setPictures(true) }}
        >
          Loading images lets the sender know the mail was opened.
        </Note>
      )}
      {html ? (
        <iframe
          title="Original mail"
          src={address}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
        />
      ) : (
        <p className="text">{mail.text || 'This mail has no text.'}</p>
      )}
      {mail.has_html && mail.text !== '' && (
        <Button size="small" look="quiet" onClick={() => setPlain(!plain)}>
          {plain ? 'Show HTML' : 'Show plain text'}
        </Button>
      )}
    </div>
  );
}
