import { administrators, consolePart } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';

const Read = administrators(ReadSettings);

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/received-mail/:id', title: 'Received mail', file: 'mail-page', access: ReadTickets },
    { path: '/mailboxes/new', title: 'New mailbox', file: 'create-mailbox', access: administrators(WriteSettings) },
    {
      path: '/mailboxes/signed-in',
      title: 'Sign in to a mailbox',
      file: 'signed-in',
      access: administrators(WriteSettings),
    },
    { path: '/mailboxes/:id', title: 'Mailbox', file: 'mailbox-page', access: Read },
  ],
  panels: [
    { slot: 'ticket.message', title: 'Original', file: 'message-original', access: ReadTickets, order: 10 },
    { slot: 'contact.side', title: 'Emails come back', file: 'undeliverable', access: ReadContacts, order: 3 },
    { slot: 'ticket.side', title: 'Send as', file: 'send-as', access: ReadTickets, order: 8 },
  ],
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
        'No mail received yet. Mail to your mailboxes becomes tickets and appears here. Add mailboxes in the settings.',
    },
    {
      path: '/mailboxes',
      title: 'Mailboxes',
      access: Read,
      nav: { section: 'administration', icon: 'inbox', order: 32 },
      list: 'GET /mailboxes.php',
      id: 'mailbox_id',
      columns: ['name', 'address', 'state', 'last_success_at', 'lag_seconds', 'last_error'],
      open: '/mailboxes/:id',
      empty: 'No mailboxes yet. Connect your support mailbox to turn mail into tickets and replies into comments.',
      createPage: { title: 'New mailbox', path: '/mailboxes/new' },
    },
  ],
});
