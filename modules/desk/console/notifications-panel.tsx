// Unread notifications on the home page.
import { Card, firstRows, Link, useLive, usePages, t } from '@keelson/web';
import { NotificationLines } from './notification-lines.tsx';

const SHOWN = 5;

export default function NotificationsPanel() {
  useLive('notification', '/notifications.php');
  const list = usePages('GET /notifications.php', { unread: true });
  if (list.total === 0) return null;
  return (
    <Card
      title={t('Unread ({total})', { total: list.total })}
      flush
      act={<Link href="/notifications">{t('All')}</Link>}
    >
      <NotificationLines rows={firstRows(list, SHOWN)} />
    </Card>
  );
}
