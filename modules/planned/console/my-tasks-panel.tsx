// The person's open tasks, which can be checked off in place.
import { call, Card, date, Link, queries, stale, toastError, useItem, useMay, type Row, t } from '@keelson/web';

const LIST = 'GET /tickets/tasks.php';
const ITEM = 'PUT /tickets/checklist.php?id={id}&item_id={item_id}';
type Task = Row<typeof LIST>;

export default function MyTasks() {
  const tasks = useItem(LIST, { assigned_to: 'me' }).data ?? [];
  const writes = useMay()('tickets:write');
  if (tasks.length === 0) return null;
  return (
    <Card flush title={t('My tasks ({count})', { count: tasks.length })}>
      <ul className="lines my-tasks">
        {tasks.map((each: Task) => (
          <li key={each.item_id}>
            <label>
              <input type="checkbox" disabled={!writes} onChange={() => void complete(each).catch(toastError)} />
              <span>{each.title}</span>
            </label>
            <Link href={`/tickets/${each.ticket_number}`} className="tone-muted">
              {each.ticket_number} {each.ticket_subject}
            </Link>
            <DueDay day={each.due_date} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The due date; red once it has passed. */
export function DueDay({ day }: { day: string | null }) {
  if (day === null) return null;
  const late = day < new Date().toLocaleDateString('sv');
  return (
    <span className={late ? 'tone-danger' : 'tone-muted'}>
      {late && <span className="hidden">{t('Overdue:')} </span>}
      {date(day)}
    </span>
  );
}

async function complete({ ticket_id: id, item_id }: Task): Promise<void> {
  await call(ITEM, { id, item_id, body: { done: true } });
  await stale(queries, ['/tickets.php', '/tickets/tasks.php']);
}
