import { Link, Time, useRecordLink, type Row, t } from '@keelson/web';
import { happened } from './happened.ts';

type Notification = Row<'GET /notifications.php'>;

/** List of notifications, each linking to its record. */
export function NotificationLines({ rows }: { rows: readonly Notification[] }) {
  const linkTo = useRecordLink();
  return (
    <ul className="lines">
      {rows.map((each) => (
        <li key={each.notification_id} data-unread={each.read_at === null || undefined}>
          <Link href={linkTo(each.type, each.key) ?? '/notifications'}>
            <span>{happened(each.kind, t, each.by_name)}</span>
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
