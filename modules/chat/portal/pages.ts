import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  panels: [{ slot: 'portal.everywhere', title: 'Chat', file: 'chat-panel', access: signedIn }],
  records: [
    {
      type: 'chat',
      title: 'Chat',
      path: '/',
      icon: 'chat',
      access: signedIn,
      read: 'GET /chat/{id}/messages',
      name: 'chat_id',
      id: 'chat_id',
    },
  ],
});
