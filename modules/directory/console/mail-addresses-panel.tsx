// Additional email addresses of a contact.
import {
  Button,
  Card,
  confirm,
  Dialog,
  Form,
  IconButton,
  rawText,
  TextField,
  useChange,
  useItem,
  useMay,
  t,
} from '@keelson/web';
import { useState } from 'react';

const touches = ['/contacts.php'];

export default function MailAddresses({ record: { employee_number: id } }: { record: { employee_number: number } }) {
  const may = useMay()('contacts:access');
  const [open, setOpen] = useState(false);
  const { data = [] } = useItem('GET /contacts.php?action=addresses&id={id}', { id });
  const add = useChange('POST /contacts.php?action=addresses&id={id}', {
    quiet: open,
    touches,
    done: () => setOpen(false),
  });
  const remove = useChange('DELETE /contacts.php?action=addresses&id={id}&address_id={address_id}', { touches });
  const ask = async ({ address_id, email }: (typeof data)[number]) => {
    const words = {
      title: t('Remove {email}?', { email }),
      text: t('Mail from this address will no longer be matched to this contact.'),
      act: t('Remove'),
      danger: true,
    };
    if (await confirm(words)) remove.mutate({ id, address_id });
  };
  if (data.length === 0 && !may) return null;
  return (
    <Card
      title={t('Other addresses')}
      act={
        may && (
          <Button size="small" icon="plus" onClick={() => setOpen(true)}>
            {t('Add')}
          </Button>
        )
      }
    >
      {data.length === 0 && <p className="tone-muted">{t('Mail from any other address is held for review.')}</p>}
      <ul className="people">
        {data.map((each) => (
          <li key={each.address_id}>
            <div>{each.email}</div>
            {may && (
              <IconButton
                icon="trash"
                label={t('Remove {email}', { email: each.email })}
                onClick={() => void ask(each)}
              />
            )}
          </li>
        ))}
      </ul>
      <Dialog title={t('Add address')} open={open} onClose={() => setOpen(false)}>
        <Form
          submit={t('Add')}
          busy={add.isPending}
          error={add.error}
          onCancel={() => setOpen(false)}
          onSubmit={(given) => add.mutate({ id, body: { email: rawText(given, 'email').trim() } })}
        >
          <TextField
            name="email"
            label={t('Email address')}
            type="email"
            hint={t('Mail from this address is matched to this contact. It cannot be used to sign in.')}
            required
            autoFocus
          />
        </Form>
      </Dialog>
    </Card>
  );
}
