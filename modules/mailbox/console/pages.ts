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
    { slot: 'ticket.top', title: 'Held mail', file: 'held-mails', access: ReadTickets, order: 20 },
    { slot: 'ticket.side', title: 'Send as', file: 'send-as', access: ReadTickets, order: 8 },
  ],
  lists: [
    {
      path: '/received-mail',
      title: 'Received mail',
      rows: 'mails',
      access: ReadTickets,
      nav: {
        section: 'work',
        icon: 'mail',
        order: 25,
        count: { operation: 'GET /mailboxes/messages.php?action=waiting', member: 'waiting', type: 'mailbox_message' },
      },
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
    {
      path: '/mail-rules',
      title: 'Mail rules',
      rows: 'rules',
      access: Read,
      nav: { section: 'administration', icon: 'inbox', order: 33 },
      list: 'GET /mailboxes/rules.php',
      id: 'rule_id',
      columns: ['sender', 'outcome', 'company_name', 'updated_at'],
      filters: ['outcome'],
      open: '/mail-rules/:id',
      empty:
        'No rules. They say what happens to mail from people who are not contacts: they are added to a company, or blocked. Without a rule, their mail waits for review.',
      create: { title: 'New rule', operation: 'POST /mailboxes/rules.php', access: administrators(WriteSettings) },
    },
  ],
  sheets: [
    {
      path: '/mail-rules/:id',
      title: 'Mail rule',
      access: Read,
      read: 'GET /mailboxes/rules.php?id={id}',
      heading: 'sender',
      facts: ['outcome', 'company_name', 'created_at', 'updated_at'],
      change: { operation: 'PUT /mailboxes/rules.php?id={id}', access: administrators(WriteSettings) },
      remove: { operation: 'DELETE /mailboxes/rules.php?id={id}', access: administrators(WriteSettings) },
    },
  ],
  records: [
    {
      type: 'mailbox_message',
      title: 'Received mail',
      path: '/received-mail/:id',
      icon: 'mail',
      access: ReadTickets,
      read: 'GET /mailboxes/messages.php?id={id}',
      name: 'subject',
      id: 'received_id',
    },
    {
      type: 'mailbox_rule',
      title: 'Mail rule',
      path: '/mail-rules/:id',
      icon: 'inbox',
      access: Read,
      read: 'GET /mailboxes/rules.php?id={id}',
      name: 'sender',
      id: 'rule_id',
    },
  ],
});
