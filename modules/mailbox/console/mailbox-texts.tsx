// A mailbox's own texts of the mails about tickets.
import { Badge, Button, Card, Dialog, Form, rawText, t, TextField, toast, useChange, useItem } from '@keelson/web';
import { useState } from 'react';

export function MailboxTexts({ id }: { id: number }) {
  const { data = [] } = useItem('GET /mailboxes.php?action=texts&id={id}', { id });
  const [open, setOpen] = useState<string>();
  const change = useChange('PUT /mailboxes.php?action=texts&id={id}', {
    quiet: open !== undefined,
    touches: ['/mailboxes'],
    done: () => {
      toast(t('Saved'));
      setOpen(undefined);
    },
  });
  const text = data.find((each) => each.key === open);
  return (
    <Card title={t('Texts')}>
      <ul className="mailbox-texts">
        {data.map(({ key, name, own }) => (
          <li key={key}>
            <span>{name}</span>
            {own && <Badge tone="ok">{t('Own text')}</Badge>}
            <Button size="small" onClick={() => setOpen(key)}>
              {t('Edit')}
              <span className="hidden"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Dialog title={text?.name ?? ''} open={text !== undefined} onClose={() => setOpen(undefined)} wide>
        {text && (
          <Form
            submit={t('Save')}
            busy={change.isPending}
            error={change.error}
            onCancel={() => setOpen(undefined)}
            onSubmit={(given) =>
              change.mutate({
                id,
                body: { key: text.key, subject: rawText(given, 'subject'), body: rawText(given, 'body') },
              })
            }
          >
            <TextField name="subject" label={t('Subject')} value={text.subject} required />
            <TextField
              name="body"
              label={t('Text')}
              lines={10}
              value={text.body}
              hint={t('It can contain {values}.', {
                values: text.variables.map((each) => `{{ ${each} }}`).join(', '),
              })}
              required
            />
            {text.own && (
              <Button look="quiet" onClick={() => change.mutate({ id, body: { key: text.key } })}>
                {t('Restore default text')}
              </Button>
            )}
          </Form>
        )}
      </Dialog>
    </Card>
  );
}
