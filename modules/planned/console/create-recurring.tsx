import { RecordPage, toast, useChange, useGo, t } from '@keelson/web';
import { RecurringForm } from './recurring-form.tsx';

export default function CreateRecurring() {
  const go = useGo();
  const create = useChange('POST /recurring-tickets.php', {
    quiet: true,
    touches: ['/recurring-tickets.php'],
    done: (made) => {
      toast(t('{name} created', { name: made.name }));
      go(`/recurring-tickets/${made.recurring_id}`);
    },
  });
  return (
    <RecordPage
      title={t('New recurring ticket')}
      back={{ to: '/recurring-tickets', title: t('Back to recurring tickets') }}
    >
      <div className="narrow">
        <RecurringForm
          submit={t('Create recurring ticket')}
          busy={create.isPending}
          error={create.error}
          onSubmit={(body) => create.mutate({ body })}
        />
      </div>
    </RecordPage>
  );
}
