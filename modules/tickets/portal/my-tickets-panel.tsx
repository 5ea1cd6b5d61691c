import { Empty, Failed, Line, Lines, Link, useItem, useSession, t } from '@keelson/web';
import { about, State, type TicketRow } from './look.tsx';

const SHOWN = 5;

export default function MyTicketsPanel() {
  const { person } = useSession();
  const { data, error, refetch } = useItem('GET /tickets', { limit: SHOWN });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return null;
  return (
    <Lines
      title={t('Your tickets')}
      act={
        <span className="actions">
          <Link href="/tickets/new">{t('New ticket')}</Link>
          {data.tickets.length > 0 && <Link href="/tickets">{t('All tickets')}</Link>}
        </span>
      }
    >
      {data.tickets.map((each: TicketRow) => (
        <Line
          key={each.ticket_id}
          title={each.subject}
          to={`/tickets/${each.ticket_number}`}
          about={about(each, each.requester_name === person.name)}
          end={<State ticket={each} />}
        />
      ))}
      {data.tickets.length === 0 && (
        <li>
          <Empty title={t('No tickets yet. Your requests and their progress appear here.')} />
        </li>
      )}
    </Lines>
  );
}
