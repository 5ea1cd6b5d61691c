import { administrators, consolePart } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';

const Read = administrators(ReadSettings);
const Write = administrators(WriteSettings);

const fields: readonly string[] = [
  'name',
  'address',
  'host',
  'port',
  'security',
  'username',
  'password',
  'authserv_id',
  'job_type',
  'priority',
  'active',
];

export default consolePart(import.meta.dirname, {
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
      create: { title: 'New mailbox', operation: 'POST /mailboxes.php', access: Write, fields },
    },
  ],
  sheets: [
    {
      path: '/received-mail/:id',
      title: 'Received mail',
      access: ReadTickets,
      read: 'GET /mailboxes/messages.php?id={id}',
      heading: 'subject',
      facts: ['from_name', 'from_address', 'verified', 'state', 'reason', 'company_name', 'received_at', 'size'],
      texts: ['text'],
      parts: [{ title: 'Files', field: 'files', columns: ['name'] }],
      acts: [
        {
          title: 'Belongs to…',
          operation: 'POST /mailboxes/messages.php?action=belongs&id={id}',
          access: WriteTickets,
        },
        {
          title: 'Put on a ticket…',
          operation: 'POST /mailboxes/messages.php?action=file&id={id}',
          access: WriteTickets,
        },
        { title: 'Set aside', operation: 'POST /mailboxes/messages.php?action=ignore&id={id}', access: WriteTickets },
      ],
    },
    {
      path: '/mailboxes/:id',
      title: 'Mailbox',
      access: Read,
      read: 'GET /mailboxes.php?id={id}',
      heading: 'name',
      facts: [
        'address',
        'state',
        'last_success_at',
        'last_error',
        'host',
        'port',
        'security',
        'username',
        'authserv_id',
      ],
      change: { operation: 'PUT /mailboxes.php?id={id}', access: Write, fields },
      remove: { operation: 'DELETE /mailboxes.php?id={id}', access: Write },
      acts: [{ title: 'Read now', operation: 'POST /mailboxes.php?action=receive&id={id}', access: Write }],
    },
  ],
});
