// Approve and reject buttons. A rejection needs a reason, which the requester sees.
import { Button, Dialog, Form, TextField, texts, toast, useChange, t } from '@keelson/web';
import { useState } from 'react';

const touches = ['/tickets'];

export function ApprovalActs({ id, subject }: { id: number; subject: string }) {
  const [rejecting, setRejecting] = useState(false);
  const approve = useChange('POST /tickets/{id}/approve', {
    touches,
    done: () => toast(t('Approved: {subject}', { subject })),
  });
  const reject = useChange('POST /tickets/{id}/reject', {
    touches,
    quiet: rejecting,
    done: () => {
      setRejecting(false);
      toast(t('Rejected: {subject}', { subject }));
    },
  });
  return (
    <>
      <Button onClick={() => setRejecting(true)} disabled={approve.isPending}>
        {t('Reject')}
        <span className="hidden"> {subject}</span>
      </Button>
      <Button look="primary" onClick={() => approve.mutate({ id })} disabled={approve.isPending || approve.isSuccess}>
        {t('Approve')}
        <span className="hidden"> {subject}</span>
      </Button>
      <Dialog title={t('Reject request')} open={rejecting} onClose={() => setRejecting(false)}>
        <p>{subject}</p>
        <Form
          submit={t('Reject')}
          busy={reject.isPending}
          error={reject.error}
          onCancel={() => setRejecting(false)}
          onSubmit={(given) => reject.mutate({ id, body: texts(given, 'reason') })}
        >
          <TextField
            name="reason"
            label={t('Reason')}
            hint={t('Visible to the requester.')}
            required
            lines={3}
            max={5000}
            autoFocus
          />
        </Form>
      </Dialog>
    </>
  );
}
