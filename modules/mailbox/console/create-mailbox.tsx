import { Form, RecordPage, toast, useChange, useLocation } from '@keelson/web';
import { MailboxFields, mailboxOf, names } from './mailbox-fields.tsx';

const back = { to: '/mailboxes', title: 'Back to the mailboxes' };

export default function CreateMailbox() {
  const [, go] = useLocation();
  const create = useChange('POST /mailboxes.php', {
    quiet: true,
    touches: ['/mailboxes.php', '/set-up.php'],
    done: ({ mailbox_id, address }) => {
      toast(`${address} is read from now on`);
      go(`/mailboxes/${mailbox_id}`);
    },
  });
  return (
    <RecordPage title="New mailbox" back={back}>
      <div className="mailbox-form">
        <Form
          submit="Try it and save"
          busy={create.isPending}
          error={create.error}
          names={names}
          onCancel={() => history.back()}
          onSubmit={(given) => create.mutate({ body: { password: '', ...mailboxOf(given) } })}
        >
          <MailboxFields />
        </Form>
      </div>
    </RecordPage>
  );
}
