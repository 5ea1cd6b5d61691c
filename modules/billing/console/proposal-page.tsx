// Proposal page: editable while a draft, then sent and decided by the customer.
import {
  Badge,
  Button,
  Card,
  changedIn,
  confirm,
  Fact,
  Facts,
  Files,
  Link,
  Note,
  RecordPage,
  RecordPending,
  SimpleTable,
  Time,
  toast,
  toneOf,
  useChange,
  useItem,
  useGo,
  useMay,
  useSession,
  words,
  type Column,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { amountColumn, priceColumn, quantityColumn } from './line-columns.tsx';
import { ProposalForm } from './proposal-form.tsx';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/proposals.php?id={id}';
type Proposal = Data<typeof READ>;
type Line = Proposal['line_items'][number];

const back = { to: '/proposals', title: t('Back to proposals') };
const touches = ['/billing/proposals.php'];

export default function ProposalPage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Proposal')} back={back} error={error} retry={() => void refetch()} />;
  return <Shown proposal={data} />;
}

function Shown({ proposal }: { proposal: Proposal }) {
  const { proposal_id: id, status } = proposal;
  const { person } = useSession();
  const go = useGo();
  const writes = useMay()('billing:write') && person.role === 'administrator';
  const [editing, setEditing] = useState(false);
  const send = useChange('POST /billing/proposals.php?action=send&id={id}', {
    touches,
    done: () => toast(t('Proposal sent')),
  });
  const remove = useChange('DELETE /billing/proposals.php?id={id}', { touches, done: () => go('/proposals') });
  const sendIt = async () => {
    const asked = {
      title: t('Send proposal to customer?'),
      text: t('The customer can accept or reject it in the portal.'),
      act: t('Send'),
    };
    if (await confirm(asked)) send.mutate({ id });
  };
  const removeIt = async () => {
    const asked = {
      title: t('Delete {title}?', { title: proposal.title }),
      text: t('This cannot be undone.'),
      act: t('Delete'),
      danger: true,
    };
    if (await confirm(asked)) remove.mutate({ id });
  };
  return (
    <RecordPage
      number={proposal.proposal_number}
      title={proposal.title}
      back={back}
      badge={<Badge tone={toneOf(status, 'proposal')}>{words(status)}</Badge>}
      acts={
        writes &&
        !editing &&
        status === 'draft' && (
          <>
            <Button look="quiet" icon="trash" onClick={() => void removeIt()}>
              {t('Delete')}
            </Button>
            <Button icon="edit" onClick={() => setEditing(true)}>
              {t('Edit')}
            </Button>
            <Button look="primary" icon="send" disabled={send.isPending} onClick={() => void sendIt()}>
              {t('Send to customer')}
            </Button>
          </>
        )
      }
    >
      <div className="invoice-paper">
        {editing ? <EditProposal proposal={proposal} onDone={() => setEditing(false)} /> : <Read proposal={proposal} />}
        <Files path="/billing/proposals.php" id={id} may={writes} />
      </div>
    </RecordPage>
  );
}

const columnsIn = (currency: string): readonly Column<Line>[] => [
  { key: 'description', title: t('Description'), width: '', cell: (each) => each.description },
  quantityColumn,
  priceColumn(currency),
  amountColumn(currency),
];

function Read({ proposal }: { proposal: Proposal }) {
  const { company_number, company_name, currency, total, valid_until, sent_at, responded_at } = proposal;
  return (
    <>
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${company_number}`}>{company_name}</Link>
        </Fact>
        <Fact name={t('Valid until')}>{valid_until && <Time at={valid_until} form="date" />}</Fact>
        <Fact name={t('Sent')}>{sent_at && <Time at={sent_at} />}</Fact>
        <Fact name={t('Answered')}>{responded_at && <Time at={responded_at} />}</Fact>
        <Fact name={t('By')}>{proposal.responded_by}</Fact>
      </Facts>
      {proposal.rejection_reason && (
        <Note tone="warn" title={t('Rejection reason:')}>
          {proposal.rejection_reason}
        </Note>
      )}
      {proposal.description && (
        <Card title={t('Description')}>
          <p className="text">{proposal.description}</p>
        </Card>
      )}
      <Card title={t('Lines')} flush>
        <SimpleTable label={t('Lines')} rows={proposal.line_items} columns={columnsIn(currency)} />
      </Card>
      <Totals sums={{ subtotal: total, taxes: [], total }} currency={currency} />
    </>
  );
}

function EditProposal({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const { proposal_id: id, title, description, valid_until, currency } = proposal;
  const change = useChange('PUT /billing/proposals.php?id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(t('Saved'));
      onDone();
    },
  });
  const lines = proposal.line_items.map((line: Line, at: number) => ({
    key: `line ${at}`,
    description: line.description,
    quantity: String(line.quantity),
    unit_price: String(line.unit_price),
    tax_rate: '',
  }));
  return (
    <ProposalForm
      values={{ title, description, valid_until, lines }}
      currency={currency}
      submit={t('Save')}
      busy={change.isPending}
      error={change.error}
      onCancel={onDone}
      onSubmit={(now, opened) => {
        const body = changedIn(now, opened);
        if (Object.keys(body).length === 0) onDone();
        else change.mutate({ id, body });
      }}
    />
  );
}
