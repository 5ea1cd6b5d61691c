// Webhook page: events, deliveries and a test.
import {
  Badge,
  Button,
  changedIn,
  confirm,
  Dialog,
  Explained,
  Fact,
  Facts,
  Form,
  Note,
  RecordPage,
  RecordPending,
  Section,
  Time,
  toast,
  useChange,
  useItem,
  useGo,
  useSession,
  words,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { Deliveries } from './deliveries.tsx';
import { WebhookFields, webhookOf } from './webhook-fields.tsx';

const READ = 'GET /webhooks.php?id={id}';
type Webhook = Data<typeof READ>;
const back = { to: '/webhooks', title: t('Back to webhooks') };
const touches = ['/webhooks.php'];

/** Permission to create webhooks implies permission to change them. */
const useMayWrite = () => useSession().pages.some(({ path }) => path === '/webhooks/new');

export default function WebhookPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: webhook, error, refetch } = useItem(READ, { id });
  const may = useMayWrite();
  const test = useChange('POST /webhooks.php?action=test&id={id}', { touches });
  const tried = test.data?.data;
  if (error || !webhook)
    return <RecordPending title={t('Webhook')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      title={webhook.url}
      back={back}
      badge={<Badge tone={webhook.active ? 'ok' : 'muted'}>{webhook.active ? t('Active') : t('Off')}</Badge>}
      acts={
        may && (
          <>
            <Button icon="send" disabled={test.isPending} onClick={() => test.mutate({ id })}>
              {t('Send test')}
            </Button>
            <Acts webhook={webhook} />
          </>
        )
      }
      side={<About webhook={webhook} />}
    >
      {tried && (
        <Note
          tone={tried.delivered ? 'ok' : 'danger'}
          title={tried.delivered ? t('Test delivered.') : t('Test failed.')}
        >
          {tried.error ? (
            <Explained text={tried.error} />
          ) : (
            t('The endpoint responded with {response_status}.', { response_status: tried.response_status })
          )}{' '}
          {tried.response_body && <code>{tried.response_body}</code>}
        </Note>
      )}
      <Deliveries webhook_id={id} may={may} />
    </RecordPage>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <Section title={t('Webhook')}>
      <Facts>
        <Fact name={t('Events')}>{webhook.events.map((each) => words(each)).join(', ')}</Fact>
        <Fact name={t('Signed')}>{webhook.has_secret ? t('Yes') : t('No')}</Fact>
        <Fact name={t('Last response')}>{webhook.last_status}</Fact>
        <Fact name={t('Last delivery')}>{webhook.last_delivery_at && <Time at={webhook.last_delivery_at} />}</Fact>
        <Fact name={t('Failures')}>{webhook.failure_count}</Fact>
        <Fact name={t('Made')}>
          <Time at={webhook.created_at} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Acts({ webhook }: { webhook: Webhook }) {
  const { webhook_id: id, url } = webhook;
  const go = useGo();
  const [editing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const done = () => {
    toast(t('Saved'));
    close();
  };
  const change = useChange('PUT /webhooks.php?id={id}', { quiet: editing, touches, done });
  const remove = useChange('DELETE /webhooks.php?id={id}', { touches, done: () => go(back.to) });
  const ask = async () => {
    if (
      await confirm({
        title: t('Delete {url}?', { url }),
        text: t('It will no longer receive events.'),
        act: t('Delete'),
        danger: true,
      })
    )
      remove.mutate({ id });
  };
  return (
    <>
      <Button icon="edit" onClick={() => setEditing(true)}>
        {t('Edit')}
      </Button>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        {t('Delete')}
      </Button>
      <Dialog title={t('Edit webhook')} open={editing} onClose={close} wide>
        <Form
          submit={t('Save')}
          busy={change.isPending}
          error={change.error}
          onCancel={close}
          onSubmit={(given, opened) => {
            const body = changedIn(webhookOf(given), webhookOf(opened));
            if (Object.keys(body).length === 0) close();
            else change.mutate({ id, body });
          }}
        >
          <WebhookFields {...webhook} />
        </Form>
      </Dialog>
    </>
  );
}
