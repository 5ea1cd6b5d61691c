import { RecordPage, RecordPending, toast, useChange, useItem, useGo, t } from '@keelson/web';
import { RecurringForm } from './recurring-form.tsx';

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
  if (!data) return <RecordPending title={t('Recurring ticket')} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage title={data.name} back={{ to: `/recurring-tickets/${id}`, title: t('Back to the recurring ticket') }}>
      <div className="narrow">
        <RecurringForm
          recurring={data}
          submit={t('Save')}
          busy={change.isPending}
          error={change.error}
          onSubmit={(body) => change.mutate({ id, body })}
        />
      </div>
    </RecordPage>
  );
}
