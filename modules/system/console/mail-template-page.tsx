// Editor for a mail template with a preview.
import {
  Bones,
  Button,
  Card,
  editsOf,
  Failed,
  Form,
  Note,
  queries,
  RecordPage,
  stale,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /settings/email-templates.php?id={id}';

const READ = 'GET /settings/email-templates.php?id={id}';
const names = ['subject', 'body'] as const;
const back = { to: '/settings/mails', title: t('Back to mail templates') };

export default function MailTemplate({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error } = useItem(READ, { id });
  const [shown, setShown] = useState<{ subject: string; text: string }>();
  const touches = ['/settings/email-templates.php'];
  const saved = () => toast(t('Saved'));
  const change = useChange('PUT /settings/email-templates.php?id={id}', {
    quiet: true,
    touches,
    done: saved,
  });
  const preview = useChange('POST /settings/email-templates.php?action=preview&id={id}', {
    done: (made) => setShown(made),
  });
  const [resets, setResets] = useState(0);
  const showDefault = async () => {
    await stale(queries, touches);
    setResets((count) => count + 1);
    toast(t('Default text restored'));
  };
  const reset = useChange('POST /settings/email-templates.php?action=reset&id={id}', {
    done: () => void showDefault(),
  });
  const test = useChange('POST /settings/email-templates.php?action=test&id={id}', {
    done: (mail) => toast(t('Sent to {recipient_address}', { recipient_address: mail.recipient_address })),
  });
  if (error || !data)
    return (
      <RecordPage title={t('Mail template')} back={back}>
        {error ? <Failed error={error} /> : <Bones />}
      </RecordPage>
    );
  return (
    <RecordPage
      title={data.name}
      back={back}
      acts={
        <>
          <Button icon="send" onClick={() => test.mutate({ id })}>
            {t('Send test mail')}
          </Button>
          <Button look="quiet" onClick={() => reset.mutate({ id })}>
            {t('Restore default text')}
          </Button>
        </>
      }
    >
      <Form
        key={resets}
        submit={t('Save')}
        busy={change.isPending}
        error={change.error}
        onSubmit={(given, opened) => {
          const body = editsOf(given, opened, schema, names);
          if (Object.keys(body).length > 0) change.mutate({ id, body });
          else saved();
        }}
      >
        <TextField name="subject" label={t('Subject')} value={data.subject} required max={255} />
        <TextField name="body" label={t('Text')} value={data.body} lines={14} required />
        <Note tone="muted">
          {t('Default texts are sent in each recipient’s language; a text you change is sent to everyone as it is.')}
        </Note>
        <Note tone="muted">
          {t('Placeholders:')} {data.variables.map((each: string) => `{{ ${each} }}`).join(', ')}
        </Note>
        <Button
          icon="eye"
          onClick={(event) => {
            const form = event.currentTarget.form;
            if (form) preview.mutate({ id, body: texts(new FormData(form), ...names) });
          }}
        >
          {t('Preview')}
        </Button>
      </Form>
      {shown && (
        <Card title={shown.subject}>
          <p className="text">{shown.text}</p>
        </Card>
      )}
    </RecordPage>
  );
}
