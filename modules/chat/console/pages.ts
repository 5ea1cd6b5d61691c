import { consolePart } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  pages: [{ path: '/chats/:id', title: 'Chat', file: 'chat-page', access: ReadTickets }],
  lists: [
    {
      path: '/chats',
      title: 'Chats',
      access: ReadTickets,
      nav: { section: 'work', icon: 'chat', order: 30 },
      list: 'GET /chat/sessions.php',
      id: 'chat_id',
      columns: ['person_name', 'company_name', 'topic', 'source', 'status', 'agent_name', 'last_active_at'],
      filters: ['status', 'source'],
      open: '/chats/:id',
      empty: 'No one is waiting. Chat requests from the portal and your website appear here.',
    },
  ],
  records: [
    {
      type: 'chat',
      title: 'Chat',
      path: '/chats/:id',
      icon: 'chat',
      access: ReadTickets,
      read: 'GET /chat/sessions.php?id={id}',
      find: 'GET /chat/sessions.php',
      name: 'person_name',
      id: 'chat_id',
    },
  ],
});
