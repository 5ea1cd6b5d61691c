// Below a ticket message that arrived by mail: opens the original mail.
import { Dialog, firstRows, t, usePages } from '@keelson/web';
import { useState } from 'react';
import { Original } from './original.tsx';

const MOST = 100;

interface Given {
  readonly ticket: { readonly ticket_id: number };
  /** The comment; undefined for the ticket's description. */
  readonly comment?: { readonly comment_id: number };
}

export default function MessageOriginal({ ticket: { ticket_id }, comment }: Given) {
  const mails = usePages('GET /mailboxes/messages.php', { ticket_id, per_page: MOST });
  const [open, setOpen] = useState(false);
  const mail = firstRows(mails, MOST).find((each) =>
    comment ? each.comment_id === comment.comment_id : each.state === 'ticket',
  );
  if (!mail) return null;
  return (
    <div className="said-acts">
      <button type="button" onClick={() => setOpen(true)}>
        {t('Show original')}
      </button>
      <Dialog title={mail.subject || t('No subject')} open={open} onClose={() => setOpen(false)} wide>
        <Original id={mail.received_id} />
      </Dialog>
    </div>
  );
}
