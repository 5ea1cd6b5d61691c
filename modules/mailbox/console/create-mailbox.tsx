import { Form, RecordPage, t, toast, useChange, useGo } from '@keelson/web';
import { MailboxFields, mailboxOf } from './mailbox-fields.tsx';

const back = { to: '/mailboxes', title: t('Back to mailboxes') };

export default function CreateMailbox() {
  const go = useGo();
  const create = useChange('POST /mailboxes.php', {
    quiet: true,
    touches: ['/mailboxes.php', '/set-up.php'],
    done: ({ mailbox_id, address, state }) => {
      toast(state === 'signed_out' ? t('Saved. Sign in to connect it.') : t('{address} connected', { address }));
      go(`/mailboxes/${mailbox_id}`);
    },
  });
  return (
    <RecordPage title={t('New mailbox')} back={back}>
      <div className="mailbox-form">
        <Form
          submit={t('Test and save')}
          busy={create.isPending}
          error={create.error}
          onCancel={() => history.back()}
          onSubmit={(given) => create.mutate({ body: mailboxOf(given) })}
        >
          <MailboxFields />
        </Form>
      </div>
    </RecordPage>
  );
}
