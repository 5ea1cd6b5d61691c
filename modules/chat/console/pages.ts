import { consolePart } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  pages: [
    {
      path: '/chats',
      title: 'Chats',
      file: 'chats',
      access: ReadTickets,
      nav: { section: 'work', icon: 'chat', order: 30 },
    },
    { path: '/chats/:id', title: 'Chat', file: 'chat-page', access: ReadTickets },
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
