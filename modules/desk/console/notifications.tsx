// Notifications page. Opening a ticket marks its notifications as read.
import { Button, Empty, Failed, firstRows, Sheet, toast, useChange, useLive, usePages, t } from '@keelson/web';
import BrowsersCard from './browsers-card.tsx';
import MailsCard from './mails-card.tsx';
import { NotificationLines } from './notification-lines.tsx';

const SHOWN = 100;

export default function Notifications() {
  useLive('notification', '/notifications.php');
  const list = usePages('GET /notifications.php', {});
  const markAll = useChange('PUT /notifications.php', {
    touches: ['/notifications.php'],
    done: () => toast(t('All marked as read')),
  });
  const rows = firstRows(list, SHOWN);
  return (
    <Sheet
      title={t('Notifications')}
      acts={
        rows.some((each) => each.read_at === null) && (
          <Button icon="check" onClick={() => markAll.mutate({ body: { all: true } })}>
            {t('Mark all as read')}
          </Button>
        )
      }
    >
      {list.error ? (
        <Failed error={list.error} />
      ) : rows.length === 0 && !list.loading ? (
        <Empty title={t('You’re all caught up')}>
          {t('Assignments, replies, approvals and mentions appear here.')}
        </Empty>
      ) : (
        <NotificationLines rows={rows} />
      )}
      <MailsCard />
      <BrowsersCard />
    </Sheet>
  );
}
