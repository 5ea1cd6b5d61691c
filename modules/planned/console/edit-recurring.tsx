import { changedIn, RecordPage, RecordPending, toast, useChange, useItem, useGo, t } from '@keelson/web';
import { RecurringForm, type Body, type Recurring } from './recurring-form.tsx';

export default function EditRecurring({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const go = useGo();
  const { data, error, refetch } = useItem('GET /recurring-tickets.php?id={id}', { id });
  const change = useChange('PUT /recurring-tickets.php?id={id}', {
    quiet: true,
    touches: ['/recurring-tickets.php'],
    done: (made) => {
      toast(t('{name} saved', { name: made.name }));
      go(`/recurring-tickets/${id}`);
    },
  });
  const save = (body: Body, opened: Recurring | undefined) => {
    const edits = changedIn(body, opened ?? {});
    if (Object.keys(edits).length === 0) go(`/recurring-tickets/${id}`);
    else change.mutate({ id, body: edits });
  };
  if (!data) return <RecordPending title={t('Recurring ticket')} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage title={data.name} back={{ to: `/recurring-tickets/${id}`, title: t('Back to the recurring ticket') }}>
      <div className="narrow">
        <RecurringForm
          recurring={data}
          submit={t('Save')}
          busy={change.isPending}
          error={change.error}
          onSubmit={save}
        />
      </div>
    </RecordPage>
  );
}
