// A manager's decision on a milestone: approve, reject with a reason, or ask a question first.
import { Button, Dialog, Form, TextField, texts, toast, useChange, t } from '@keelson/web';
import { useState } from 'react';
import { State, type Milestone } from './look.tsx';

const touches = ['/milestones', '/projects'];

export function MilestoneActs({ milestone: { milestone_id: id, name, status } }: { milestone: Milestone }) {
  const [writing, setWriting] = useState<'reject' | 'ask'>();
  const close = () => setWriting(undefined);
  const done = (said: string) => () => {
    close();
    toast(`${said}: ${name}`);
  };
  const approve = useChange('POST /milestones/{id}/approve', { touches, done: done(t('Approved')) });
  const reject = useChange('POST /milestones/{id}/reject', {
    touches,
    quiet: writing === 'reject',
    done: done(t('Rejected')),
  });
  const ask = useChange('POST /milestones/{id}/request-info', {
    touches,
    quiet: writing === 'ask',
    done: done(t('Asked')),
  });
  const rejecting = writing === 'reject';
  const sent = rejecting ? reject : ask;
  return (
    <>
      {status === 'pending_approval' ? (
        <Button look="quiet" onClick={() => setWriting('ask')}>
          {t('Ask')}
          <span className="hidden"> {t('about {name}', { name })}</span>
        </Button>
      ) : (
        <State of={status} />
      )}
      <Button onClick={() => setWriting('reject')}>
        {t('Reject')}
        <span className="hidden"> {name}</span>
      </Button>
      <Button
        look="primary"
        disabled={approve.isPending || approve.isSuccess}
        onClick={() => approve.mutate({ id, body: {} })}
      >
        {t('Approve')}
        <span className="hidden"> {name}</span>
      </Button>
      <Dialog
        title={rejecting ? t('Reject milestone') : t('Ask about milestone')}
        open={Boolean(writing)}
        onClose={close}
      >
        <p>{name}</p>
        <Form
          submit={rejecting ? t('Reject') : t('Ask')}
          busy={sent.isPending}
          error={sent.error}
          onCancel={close}
          onSubmit={(given) =>
            rejecting
              ? reject.mutate({ id, body: texts(given, 'reason') })
              : ask.mutate({ id, body: texts(given, 'message') })
          }
        >
          <TextField
            key={writing ?? ''}
            name={rejecting ? 'reason' : 'message'}
            label={rejecting ? t('Reason') : t('Your question')}
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
