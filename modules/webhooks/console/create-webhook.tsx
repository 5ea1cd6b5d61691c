import { Form, LinkButton, RecordPage, Secret, useChange, type Data, t } from '@keelson/web';
import { useState } from 'react';
import { WebhookFields, webhookOf } from './webhook-fields.tsx';

const back = { to: '/webhooks', title: t('Back to webhooks') };
type Created = Data<'POST /webhooks.php'>;

/** Form for a new webhook. The signing secret is shown once. */
export default function CreateWebhook() {
  const [made, setMade] = useState<Created>();
  const create = useChange('POST /webhooks.php', { quiet: true, touches: ['/webhooks.php'], done: setMade });
  if (made)
    return (
      <RecordPage title={t('Webhook created')} back={back}>
        {made.secret && <Secret title={t('Signing secret')}>{made.secret}</Secret>}
        <LinkButton to={`/webhooks/${made.webhook_id}`} look="primary">
          {t('Go to webhook')}
        </LinkButton>
      </RecordPage>
    );
  return (
    <RecordPage title={t('New webhook')} back={back}>
      <Form
        submit={t('Create webhook')}
        busy={create.isPending}
        error={create.error}
        onSubmit={(given) => create.mutate({ body: webhookOf(given) })}
      >
        <WebhookFields />
      </Form>
    </RecordPage>
  );
}
