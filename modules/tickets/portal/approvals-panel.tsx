// Pending approvals on the home page and at the top of the approvals page.
import { Avatar, Failed, Line, Lines, Link, Time, useItem, t } from '@keelson/web';
import { ApprovalActs } from './approval-acts.tsx';
import type { TicketRow } from './look.tsx';

const SHOWN = 5;

export default function ApprovalsPanel({ all = false }: { all?: boolean }) {
  const { data, error, refetch } = useItem('GET /tickets/pending-approval');
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  const waiting: readonly TicketRow[] = data?.tickets ?? [];
  if (waiting.length === 0) return null;
  const more = !all && waiting.length > SHOWN;
  return (
    <Lines
      title={all ? t('Requests') : t('Waiting for your approval')}
      act={more && <Link href="/approvals">{t('All {length}', { length: waiting.length })}</Link>}
    >
      {(all ? waiting : waiting.slice(0, SHOWN)).map((each) => (
        <Line
          key={each.ticket_id}
          start={<Avatar name={each.requester_name} />}
          title={each.subject}
          to={`/tickets/${each.ticket_number}`}
          about={[each.requester_name, each.job_type, <Time key="at" at={each.created_at} />]}
          end={<ApprovalActs id={each.ticket_id} subject={each.subject} />}
        >
          {all && <p className="line-text">{each.description}</p>}
        </Line>
      ))}
    </Lines>
  );
}
