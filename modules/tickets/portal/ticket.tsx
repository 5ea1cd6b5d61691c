// Ticket page of the portal: conversation, files, reply form and closing.
import {
  Avatar,
  Button,
  Explained,
  Fact,
  Facts,
  Link,
  Note,
  RecordName,
  RecordPage,
  RecordPending,
  Section,
  Slot,
  Time,
  useChange,
  useItem,
  useMay,
  useRecordLink,
  words,
  type Data,
  t,
} from '@keelson/web';
import { Answer } from './answer.tsx';
import { ApprovalActs } from './approval-acts.tsx';
import { Files } from './files.tsx';
import { State, type TicketRow } from './look.tsx';
import { Watchers } from './watchers.tsx';

const READ = 'GET /tickets/{id}';
type Ticket = Data<typeof READ>;
type Related = Ticket['children'][number];

const back = { to: '/tickets', title: t('Back to tickets') };

export default function TicketPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: ticket, error, refetch } = useItem(READ, { id });
  if (!ticket) return <RecordPending title={t('Ticket')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      number={ticket.ticket_number}
      title={ticket.subject}
      back={back}
      badge={<State ticket={ticket} />}
      acts={<Acts ticket={ticket} />}
      side={<Side ticket={ticket} />}
    >
      {ticket.merged_into !== null && (
        <Note icon="merge" tone="muted" title={t('Merged into another ticket.')}>
          {t('Your replies and files are added to:')} <RecordName type="ticket" id={ticket.merged_into} />
        </Note>
      )}
      <ol className="portal-conversation" aria-label={t('Conversation')}>
        <Said name={ticket.requester_name} at={ticket.created_at} text={ticket.description} />
        {ticket.comments.map((each: Ticket['comments'][number]) => (
          <Said
            key={each.comment_id}
            name={each.author_name}
            at={each.created_at}
            text={each.comment}
            ours={each.author_name === 'System'}
          />
        ))}
      </ol>
      <Files id={id} />
      <Slot name="portal.ticket" ticket={ticket} />
      <Answer id={id} closed={ticket.status === 'closed'} />
    </RecordPage>
  );
}

function Said({ name, at, text, ours }: { name: string | null; at: string; text: string; ours?: boolean }) {
  return (
    <li>
      <Avatar name={name} />
      <div>
        <p className="portal-said">
          <b>{name ?? t('Someone')}</b> <Time at={at} />
        </p>
        <p className="text">{ours ? <Explained text={text} /> : text}</p>
      </div>
    </li>
  );
}

function Acts({ ticket }: { ticket: Ticket }) {
  const may = useMay();
  const { ticket_id: id, status, approval_status } = ticket;
  const pending = approval_status === 'pending';
  const { data } = useItem('GET /tickets/pending-approval', {}, { enabled: pending && may('ismgr') });
  const mine = data?.tickets.some((each: TicketRow) => each.ticket_id === id);
  const change = useChange('PUT /tickets/{id}', { touches: ['/tickets'] });
  const set = (next: 'open' | 'closed') => change.mutate({ id, body: { status: next } });
  if (!ticket.can_change) return null;
  if (pending && mine) return <ApprovalActs id={id} subject={ticket.subject} />;
  if (status === 'closed')
    return approval_status !== 'rejected' && <Button onClick={() => set('open')}>{t('Not solved')}</Button>;
  return (
    <Button icon="check" onClick={() => set('closed')} disabled={change.isPending}>
      {pending ? t('Withdraw request') : t('Mark as solved')}
    </Button>
  );
}

function Side({ ticket }: { ticket: Ticket }) {
  const link = useRecordLink();
  const { asset } = ticket;
  const to = asset && link('asset', asset.asset_id);
  return (
    <>
      {ticket.approval_status === 'pending' && <Note tone="warn">{t('Waiting for your manager’s approval.')}</Note>}
      <Facts>
        <Fact name={t('Requested by')}>{ticket.requester_name}</Fact>
        <Fact name={t('Assignee')}>{ticket.assigned_tech_name ?? t('Not assigned yet')}</Fact>
        <Fact name={t('Category')}>{ticket.job_type}</Fact>
        <Fact name={t('Opened')}>
          <Time at={ticket.created_at} form="moment" />
        </Fact>
        <Fact name={t('Closed')}>{ticket.closed_at && <Time at={ticket.closed_at} form="moment" />}</Fact>
        <Fact name={t('Device')}>
          {asset && (to ? <Link href={to}>{asset.machine_name}</Link> : asset.machine_name)}
        </Fact>
      </Facts>
      {(ticket.parent || ticket.children.length > 0) && (
        <Section title={t('Related tickets')}>
          <ul className="linked">
            {[...(ticket.parent ? [ticket.parent] : []), ...ticket.children].map((each: Related) => (
              <li key={each.ticket_id}>
                <Link href={`/tickets/${each.ticket_number}`}>
                  {each.ticket_number} {each.subject}
                </Link>
                <span className="tone-muted">{words(each.status)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <div className="ticket-watchers">
        <Watchers ticket={ticket} />
      </div>
    </>
  );
}
