// The form that saves the filters of the queue as a view, or changes a saved one.
import { CheckField, Form, rawText, t, TextField, useChange, useFinish, type Row } from '@keelson/web';

interface ViewFormProps {
  readonly saved: Row<'GET /views.php'> | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly shares: boolean;
  readonly done: () => void;
}

export function ViewForm({ saved, query, columns, shares, done }: ViewFormProps) {
  const finish = useFinish(done);
  const said = ({ title }: { title: string }) => finish(t('Saved as “{title}”', { title }));
  const options = { quiet: true, touches: ['/views.php'], done: said } as const;
  const create = useChange('POST /views.php', options);
  const change = useChange('PUT /views.php?id={id}', options);
  const submit = (given: FormData) => {
    const body = {
      title: rawText(given, 'title'),
      columns: [...columns],
      ...(shares && { shared: given.has('shared') }),
    };
    if (saved) change.mutate({ id: saved.view_id, body });
    else create.mutate({ body: { ...body, list: 'tickets', query } });
  };
  return (
    <Form
      submit={t('Save')}
      busy={create.isPending || change.isPending}
      error={create.error ?? change.error}
      onCancel={done}
      onSubmit={submit}
    >
      <TextField
        name="title"
        label={t('Title')}
        value={saved?.title}
        required
        max={100}
        hint={t('Its filters, sort and columns are kept.')}
      />
      {shares && <CheckField name="shared" label={t('Share with all technicians')} checked={saved?.shared ?? false} />}
    </Form>
  );
}
