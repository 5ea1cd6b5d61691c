// The technician's own reply templates and the shared ones, which the reply form of a ticket offers.
import {
  Button,
  CheckField,
  confirm,
  Dialog,
  Empty,
  Failed,
  Form,
  IconButton,
  rawText,
  Sheet,
  SimpleTable,
  t,
  TextField,
  toast,
  useChange,
  useFinish,
  useItem,
  useLive,
  useSession,
  type Column,
  type Row,
} from '@keelson/web';
import { useState } from 'react';

type Template = Row<'GET /reply-templates.php'>;

const touches = ['/reply-templates.php'];
const places = ['requester', 'company', 'ticket', 'subject', 'technician'].map((each) => `{{${each}}}`).join(', ');

const LONGEST = 200;
const excerpt = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text);

export default function ReplyTemplates() {
  useLive('reply_template', '/reply-templates.php');
  const { person } = useSession();
  const { data, error } = useItem('GET /reply-templates.php');
  const [open, setOpen] = useState<Template | 'new'>();
  const remove = useChange('DELETE /reply-templates.php?id={id}', { touches, done: () => toast(t('Deleted')) });
  const administers = person.role === 'administrator';
  const ask = async ({ template_id: id, title, shared }: Template) => {
    const question = t('Delete the template “{title}”?', { title });
    const text = shared ? t('Your colleagues lose it too.') : '';
    if (await confirm({ title: question, text, act: t('Delete'), danger: true })) remove.mutate({ id });
  };
  const columns: readonly Column<Template>[] = [
    { key: 'title', title: t('Title'), width: '', cell: ({ title }) => title },
    { key: 'text', title: t('Text'), width: '', look: 'muted', cell: ({ text }) => excerpt(text) },
    {
      key: 'shared',
      title: t('Available to'),
      width: '',
      cell: ({ shared, user_id, user_name }) => {
        if (!shared) return t('Only me');
        return user_id === person.id ? t('Everyone') : t('Everyone, from {name}', { name: user_name ?? '–' });
      },
    },
    {
      key: 'acts',
      title: t('Actions'),
      untitled: true,
      width: '',
      look: 'right',
      cell: (row) =>
        (row.user_id === person.id || administers) && (
          <>
            <IconButton icon="edit" label={t('Edit {title}', { title: row.title })} onClick={() => setOpen(row)} />
            <IconButton icon="trash" label={t('Delete {title}', { title: row.title })} onClick={() => void ask(row)} />
          </>
        ),
    },
  ];
  const edited = open === 'new' ? undefined : open;
  const close = () => setOpen(undefined);
  return (
    <Sheet
      title={t('Reply templates')}
      acts={
        <Button icon="plus" look="primary" onClick={() => setOpen('new')}>
          {t('New template')}
        </Button>
      }
    >
      {error ? (
        <Failed error={error} />
      ) : data?.length === 0 ? (
        <Empty title={t('No reply templates yet')}>
          {t('Save replies that you write often. Insert them with Templates when you reply to a ticket.')}
        </Empty>
      ) : (
        data && <SimpleTable label={t('Reply templates')} rows={data} columns={columns} />
      )}
      <Dialog title={edited ? t('Edit template') : t('New template')} open={open !== undefined} onClose={close}>
        <TemplateForm template={edited} shares={administers} done={close} />
      </Dialog>
    </Sheet>
  );
}

interface TemplateFormProps {
  readonly template: Template | undefined;
  readonly shares: boolean;
  readonly done: () => void;
}

function TemplateForm({ template, shares, done }: TemplateFormProps) {
  const finish = useFinish(done);
  const said = ({ title }: { title: string }) => finish(t('Saved as “{title}”', { title }));
  const create = useChange('POST /reply-templates.php', { quiet: true, touches, done: said });
  const change = useChange('PUT /reply-templates.php?id={id}', { quiet: true, touches, done: said });
  const submit = (given: FormData) => {
    const body = {
      title: rawText(given, 'title'),
      text: rawText(given, 'text'),
      ...(shares && { shared: given.has('shared') }),
    };
    if (template) change.mutate({ id: template.template_id, body });
    else create.mutate({ body });
  };
  return (
    <Form
      submit={t('Save')}
      busy={create.isPending || change.isPending}
      error={create.error ?? change.error}
      onCancel={done}
      onSubmit={submit}
    >
      <TextField name="title" label={t('Title')} value={template?.title} required max={100} />
      <TextField
        name="text"
        label={t('Text')}
        value={template?.text}
        required
        lines={8}
        hint={t('These are replaced by the ticket’s values: {places}', { places })}
      />
      {shares && (
        <CheckField name="shared" label={t('Share with all technicians')} checked={template?.shared ?? false} />
      )}
    </Form>
  );
}
