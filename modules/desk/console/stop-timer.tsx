// Dialog that stops a timer and logs its time on the ticket, as measured or as entered by the technician.
import { CheckField, Dialog, Form, minutes, rawText, TextField, toast, useChange, t } from '@keelson/web';

interface StopTimerProps {
  readonly id: number;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function StopTimer({ id, open, onClose }: StopTimerProps) {
  const stop = useChange('PUT /timers.php?action=stop&id={id}', {
    quiet: open,
    touches: ['/timers.php', '/tickets.php'],
    done: ({ duration_minutes }) => {
      toast(t('{duration_minutes} logged', { duration_minutes: minutes(duration_minutes) }));
      onClose();
    },
  });
  const submit = (given: FormData) => {
    const duration = rawText(given, 'duration_minutes');
    const body = {
      ...(duration !== '' && { duration_minutes: Number(duration) }),
      description: rawText(given, 'description'),
      billable: given.get('billable') !== null,
    };
    stop.mutate({ id, body });
  };
  return (
    <Dialog title={t('Log time')} open={open} onClose={onClose}>
      <Form submit={t('Log', {}, 'verb')} busy={stop.isPending} error={stop.error} onCancel={onClose} onSubmit={submit}>
        <TextField
          name="duration_minutes"
          label={t('Minutes')}
          type="number"
          hint={t('Leave blank to use the measured time')}
        />
        <TextField name="description" label={t('Work done')} />
        <CheckField name="billable" label={t('Billable')} checked />
      </Form>
    </Dialog>
  );
}
