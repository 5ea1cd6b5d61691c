// Home page panel with the tickets that are due next.
import { addressWith, Card, Link, useItem, useLive } from '@keelson/web';
import { distance, titles } from './look.tsx';

const SHOWN = 6;

export default function DuePanel() {
  useLive('ticket', '/levels/next.php');
  const { data = [] } = useItem('GET /levels/next.php');
  if (data.length === 0) return null;
  const now = Date.now();
  return (
    <Card title="Due next">
      <ul className="lines">
        {data.slice(0, SHOWN).map(({ ticket_id, ticket_number, subject, company_name, kind, due_at }) => (
          <li key={ticket_id}>
            <Link href={addressWith('/tickets/:quoted', ticket_id)}>
              <span>{ticket_number}</span>
              <span className="grow">
                {subject} <span className="tone-muted">{company_name}</span>
              </span>
              {due_at && <Due kind={kind} at={due_at} now={now} />}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Due({ kind, at, now }: { kind: keyof typeof titles; at: string; now: number }) {
  const late = new Date(at).getTime() <= now;
  const time = distance(at, now);
  return (
    <span
      className={late ? 'tone-danger' : 'tone-muted'}
    >{`${titles[kind]} ${late ? `${time} late` : `in ${time}`}`}</span>
  );
}
