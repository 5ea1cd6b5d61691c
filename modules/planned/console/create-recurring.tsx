import { RecordPage, toast, useChange, useLocation } from '@keelson/web';
import { RecurringForm } from './recurring-form.tsx';

export default function CreateRecurring() {
  const [, go] = useLocation();
  const create = useChange('POST /recurring-tickets.php', {
    quiet: true,
    touches: ['/recurring-tickets.php'],
    done: (made) => {
      toast(`${made.name} created`);
      go(`/recurring-tickets/${made.recurring_id}`);
    },
  });
  return (
    <RecordPage title="New recurring ticket" back={{ to: '/recurring-tickets', title: 'Back to recurring tickets' }}>
      <div className="narrow">
        <RecurringForm
          submit="Create recurring ticket"
          busy={create.isPending}
          error={create.error}
          onSubmit={(body) => create.mutate({ body })}
        />
      </div>
    </RecordPage>
  );
}
