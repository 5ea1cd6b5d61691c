// Browsers that show the technician's notifications, also when no page is open.
import {
  Badge,
  Button,
  Card,
  SimpleTable,
  Time,
  toast,
  toastError,
  useChange,
  useItem,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { deviceName, subscribeBrowser, isSupported } from './browser-push.tsx';

const READ = 'GET /notifications.php?action=browsers';
type Browser = Data<typeof READ>['subscriptions'][number];
/** Which of the browsers is this one. */
const KEPT = 'keelson.browser';

export default function BrowsersCard() {
  const { data } = useItem(READ);
  const [busy, setBusy] = useState(false);
  const add = useChange('POST /notifications.php?action=browsers', {
    touches: ['action=browsers'],
    done: ({ subscriptions }) => {
      localStorage.setItem(KEPT, String(subscriptions.at(-1)?.subscription_id));
      toast(t('Notifications are shown in this browser'));
    },
  });
  const remove = useChange('DELETE /notifications.php?action=browsers&subscription_id={subscription_id}', {
    touches: ['action=browsers'],
    done: () => toast(t('Browser removed')),
  });
  if (!data) return null;
  const own = Number(localStorage.getItem(KEPT));
  const known = data.subscriptions.some((each) => each.subscription_id === own);
  const start = async () => {
    setBusy(true);
    try {
      const body = await subscribeBrowser(data.public_key);
      if (body) add.mutate({ body: { ...body, device: deviceName(navigator.userAgent) } });
      else toastError(new Error(t('This browser blocks notifications. Allow them for this site in its settings.')));
    } catch {
      toastError(new Error(t('This browser could not be reached by its push service. Try again later.')));
    }
    setBusy(false);
  };
  return (
    <Card
      title={t('Notifications in browsers')}
      flush
      act={
        isSupported() &&
        !known && (
          <Button size="small" icon="bell" disabled={busy || add.isPending} onClick={() => void start()}>
            {t('Show in this browser')}
          </Button>
        )
      }
    >
      <SimpleTable
        label={t('Browsers')}
        rows={data.subscriptions as readonly Browser[]}
        empty={t('Get notified when no page is open, for example when you are on call.')}
        columns={[
          { key: 'device', title: t('Browser'), width: '', cell: (each) => each.device },
          { key: 'since', title: t('Since'), width: '', cell: (each) => <Time at={each.created_at} /> },
          {
            key: 'last',
            title: t('Last notification'),
            width: '',
            cell: (each) => (each.delivered_at ? <Time at={each.delivered_at} /> : '–'),
          },
          {
            key: 'remove',
            title: t('Remove'),
            untitled: true,
            width: '',
            look: 'right',
            cell: (each) => (
              <>
                {each.subscription_id === own && <Badge tone="ok">{t('This browser')}</Badge>}{' '}
                <Button size="small" onClick={() => remove.mutate({ subscription_id: each.subscription_id })}>
                  {t('Remove')}
                </Button>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
