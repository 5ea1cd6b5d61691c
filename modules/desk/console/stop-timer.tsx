// Dialog that stops a timer and logs its time on the ticket, as measured or as entered by the technician.
import { call, CheckField, Dialog, Form, minutes, queries, rawText, stale, TextField, toast, t } from '@keelson/web';
import { useState } from 'react';

interface StopTimerProps {
  readonly id: number;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function StopTimer({ id, open, onClose }: StopTimerProps) {
  const [error, setError] = useState<Error | null>(null);
  const stop = async (given: FormData) => {
    const duration = rawText(given, 'duration_minutes');
    const body = {
      ...(duration !== '' && { duration_minutes: Number(duration) }),
      description: rawText(given, 'description'),
      billable: given.get('billable') !== null,
    };
    try {
      const { data } = await call('PUT /timers.php?action=stop&id={id}', { id, body });
      await stale(queries, ['/timers.php', '/tickets.php']);
      toast(t('{duration_minutes} logged', { duration_minutes: minutes(data.duration_minutes) }));
      onClose();
    } catch (refusal) {
      setError(refusal as Error);
    }
  };
  return (
    <Dialog title={t('Log time')} open={open} onClose={onClose}>
      <Form
        submit={t('Log', {}, 'verb')}
        error={error}
        names={['duration_minutes', 'description', 'billable']}
        onCancel={onClose}
        onSubmit={(given) => void stop(given)}
      >
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
