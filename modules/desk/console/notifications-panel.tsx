// Unread notifications on the home page.
import { Card, firstRows, Link, useLive, usePages } from '@keelson/web';
import { NotificationLines } from './notification-lines.tsx';

const SHOWN = 5;

export default function NotificationsPanel() {
  useLive('notification', '/notifications.php');
  const list = usePages('GET /notifications.php', { unread: true });
  if (list.total === 0) return null;
  return (
    <Card title={`Unread (${list.total})`} flush act={<Link href="/notifications">All</Link>}>
      <NotificationLines rows={firstRows(list, SHOWN)} />
    </Card>
  );
}
