// Ticket page: conversation, composer and sidebar.
import {
  IconButton,
  Link,
  Note,
  RecordName,
  RecordPage,
  RecordPending,
  useChanges,
  useItem,
  useKeys,
  useGo,
  useMay,
  usePresent,
  useSession,
  Phone,
  t,
} from '@keelson/web';
import { useCallback, useEffect, useState } from 'react';
import { addressOfQueue, useNeighbours, type Neighbours } from '../queue/queue.tsx';
import { editTicket, READ } from './change.tsx';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { markRead, tellPresence } from './presence.tsx';
import { TicketActs } from './ticket-acts.tsx';
import { TicketMore } from './ticket-more.tsx';
import { TicketSide } from './ticket-side.tsx';

const BACK = t('Back to tickets');

/** Registers keyboard shortcuts; a ticket on its own page can step through its list. */
function useTicketKeys(inset: boolean, { next, previous }: Neighbours): void {
  const go = useGo();
  useKeys(
    inset
      ? []
      : [
          { keys: ']|j', title: t('Next ticket'), run: next },
          { keys: '[|k', title: t('Previous ticket'), run: previous },
          { keys: 'Escape', title: BACK, run: () => go(addressOfQueue()) },
        ],
  );
}

/** Buttons for the previous and next ticket of the list. */
function Steps({ of: { previous, next, hasPrevious, hasNext } }: { of: Neighbours }) {
  if (!hasPrevious && !hasNext) return null;
  return (
    <span className="steps">
      <IconButton icon="chevron-up" label={t('Previous ticket ([)')} onClick={previous} disabled={!hasPrevious} />
      <IconButton icon="chevron-down" label={t('Next ticket (])')} onClick={next} disabled={!hasNext} />
    </span>
  );
}

export function Ticket({ id, inset = false }: { id: number; inset?: boolean }) {
  const { data: ticket, error, refetch } = useItem(READ, { id });
  const company = useItem(
    'GET /companies.php?id={id}',
    { id: ticket?.company_number ?? 0 },
    { enabled: Boolean(ticket) },
  );
  const { person } = useSession();
  const may = useMay();
  const back = { to: addressOfQueue(), title: BACK };
  const neighbours = useNeighbours(id);
  useTicketKeys(inset, neighbours);
  const present = usePresent('ticket', id);
  const [answered, setAnswered] = useState(false);
  useChanges(
    useCallback(
      ({ type, key, by }) => {
        if (type === 'ticket' && Number(key) === id && by?.type === 'technician' && by.id !== person.id)
          setAnswered(true);
      },
      [id, person.id],
    ),
  );
  useEffect(() => {
    void tellPresence(id, 'viewing');
    const timer = setInterval(() => void tellPresence(id, 'viewing'), 30_000);
    return () => {
      clearInterval(timer);
      void tellPresence(id, 'left');
    };
  }, [id]);
  const read = ticket?.updated_at;
  useEffect(() => {
    if (read) void markRead(id, read);
  }, [id, read]);
  if (error || !ticket) {
    const retry = () => void refetch();
    return <RecordPending title={t('Ticket')} back={back} inset={inset} error={error} retry={retry} />;
  }
  const rules = company.data?.notes;
  const { ticket_id, subject: before } = ticket;
  const save = (subject: string) => editTicket(ticket_id, { subject }, { subject: before }, t('Subject changed'));
  return (
    <RecordPage
      number={ticket.ticket_number}
      title={ticket.subject}
      rename={may('tickets:write') ? { label: t('Subject'), save } : undefined}
      back={back}
      inset={inset}
      acts={
        <>
          {!inset && <Steps of={neighbours} />}
          <TicketActs ticket={ticket} />
          <TicketMore ticket={ticket} />
        </>
      }
      side={<TicketSide ticket={ticket} company={company.data} />}
    >
      <div className="ticket">
        <div className="ticket-lead">
          <b>{ticket.requester_name}</b>
          <Link href={`/companies/${ticket.company_number}`}>{ticket.company_name}</Link>
          {company.data?.phone && <Phone number={company.data.phone} />}
        </div>
        {rules && (
          <Note icon="map-pin" tone="muted" title={ticket.company_name}>
            {rules}
          </Note>
        )}
        {ticket.merged_into !== null && (
          <Note icon="merge" tone="muted" title={t('Merged into another ticket.')}>
            {t('Replies, time and files are added to:')} <RecordName type="ticket" id={ticket.merged_into} />
          </Note>
        )}
        <Conversation ticket={ticket} />
        <div className="present" role="status">
          {present.map((each) => (
            <span key={each.user_id}>
              {each.name} {each.doing === 'writing' ? t('is writing') : t('is here')}
            </span>
          ))}
          {answered && present.length === 0 && <span>{t('Someone else just updated this ticket.')}</span>}
        </div>
        <Composer ticket={ticket} onSent={() => setAnswered(false)} />
      </div>
    </RecordPage>
  );
}
