import { Link, Time, useRecordLink, type Row } from '@keelson/web';

type Notification = Row<'GET /notifications.php'>;

const did: Record<Notification['kind'], string> = {
  assigned: 'assigned you',
  answered: 'answered',
  decided: 'decided on',
  mentioned: 'mentioned you on',
  replied: 'replied on',
  noted: 'added a note to',
  moved: 'changed the status of',
  sla_warned: 'is due soon:',
  sla_breached: 'missed its target:',
  rated: 'rated',
  escalated: 'escalated',
  task: 'assigned you a task of',
  answered_absent: 'answered an absent colleague on',
};

/** List of notifications, each linking to its record. */
export function NotificationLines({ rows }: { rows: readonly Notification[] }) {
  const linkTo = useRecordLink();
  return (
    <ul className="lines">
      {rows.map((each) => (
        <li key={each.notification_id} data-unread={each.read_at === null || undefined}>
          <Link href={linkTo(each.type, each.key) ?? '/notifications'}>
            <span>
              {each.by_name} {did[each.kind]}
            </span>
            <span className="grow">{each.title}</span>
            <span className="tone-muted">
              <Time at={each.created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
