import { administrators, consolePart } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';

const Read = administrators(ReadSettings);

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/received-mail/:id', title: 'Received mail', file: 'mail-page', access: ReadTickets },
    { path: '/mailboxes/new', title: 'New mailbox', file: 'create-mailbox', access: administrators(WriteSettings) },
    { path: '/mailboxes/:id', title: 'Mailbox', file: 'mailbox-page', access: Read },
  ],
  panels: [{ slot: 'ticket.message', title: 'Original', file: 'message-original', access: ReadTickets, order: 10 }],
  lists: [
    {
      path: '/received-mail',
      title: 'Received mail',
      rows: 'mails',
      access: ReadTickets,
      nav: { section: 'work', icon: 'mail', order: 25 },
      list: 'GET /mailboxes/messages.php',
      id: 'received_id',
      columns: ['subject', 'from_name', 'from_address', 'state', 'reason', 'received_at'],
      filters: ['state'],
      open: '/received-mail/:id',
      empty:
        'What people write to a mailbox of yours becomes tickets, and is listed here. Mailboxes are in the settings.',
    },
    {
      path: '/mailboxes',
      title: 'Mailboxes',
      access: Read,
      nav: { section: 'administration', icon: 'inbox', order: 32 },
      list: 'GET /mailboxes.php',
      id: 'mailbox_id',
      columns: ['name', 'address', 'state', 'last_success_at', 'last_error'],
      open: '/mailboxes/:id',
      empty: 'Add the mailbox that customers write to: their mails become tickets, and their answers comments.',
      createPage: { title: 'New mailbox', path: '/mailboxes/new' },
    },
  ],
});
