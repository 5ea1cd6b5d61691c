// Proposal page, where the customer accepts or rejects.
import {
  Badge,
  Button,
  Card,
  confirm,
  Dialog,
  Fact,
  Facts,
  Form,
  money,
  RecordPage,
  RecordPending,
  TextField,
  texts,
  Time,
  toast,
  toneOf,
  useChange,
  useItem,
  words,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { LineItems } from './lines.tsx';

const back = { to: '/billing', title: t('Back to billing') };

export default function ProposalPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem('GET /billing/proposals/{id}', { id });
  if (!data) return <RecordPending title={t('Proposal')} back={back} error={error} retry={() => void refetch()} />;
  const total = money(data.total, data.currency);
  return (
    <RecordPage
      number={data.proposal_number}
      title={data.title}
      back={back}
      badge={<Badge tone={toneOf(data.status)}>{words(data.status)}</Badge>}
      acts={data.status === 'sent' && <Acts id={id} title={data.title} total={total} />}
    >
      <div className="bill">
        {data.description && <p className="text">{data.description}</p>}
        <Card title={t('Lines')} flush>
          <LineItems lines={data.line_items} currency={data.currency} />
        </Card>
        <Card>
          <Facts>
            <Fact name={t('Total')}>
              <b>{total}</b>
            </Fact>
            <Fact name={t('Valid until')}>{data.valid_until && <Time at={data.valid_until} />}</Fact>
            <Fact name={t('Answered')}>{data.responded_at && <Time at={data.responded_at} form="moment" />}</Fact>
            <Fact name={t('By')}>{data.responded_by}</Fact>
            <Fact name={t('Reason')}>{data.rejection_reason}</Fact>
          </Facts>
        </Card>
      </div>
    </RecordPage>
  );
}

function Acts({ id, title, total }: { id: number; title: string; total: string }) {
  const [rejecting, setRejecting] = useState(false);
  const answer = useChange('POST /billing/proposals/{id}', {
    touches: ['/billing', '/tickets'],
    quiet: rejecting,
    done: ({ status }) => {
      setRejecting(false);
      toast(status === 'accepted' ? t('Proposal accepted') : t('Rejected'));
    },
  });
  const accept = async () => {
    const yes = await confirm({ title: t('Accept proposal?'), text: `${title}, ${total}`, act: t('Accept') });
    if (yes) answer.mutate({ id, body: { action: 'accept' } });
  };
  return (
    <>
      <Button onClick={() => setRejecting(true)}>{t('Reject')}</Button>
      <Button look="primary" onClick={() => void accept()} disabled={answer.isPending}>
        {t('Accept')}
      </Button>
      <Dialog title={t('Reject proposal')} open={rejecting} onClose={() => setRejecting(false)}>
        <Form
          submit={t('Reject')}
          busy={answer.isPending}
          error={answer.error}
          onCancel={() => setRejecting(false)}
          onSubmit={(given) => answer.mutate({ id, body: { action: 'reject', ...texts(given, 'reason') } })}
        >
          <TextField name="reason" label={t('Reason')} lines={3} max={5000} autoFocus />
        </Form>
      </Dialog>
    </>
  );
}
