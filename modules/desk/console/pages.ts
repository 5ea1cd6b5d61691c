import { administrators, consolePart } from '@keelson/core';
import { WriteSettings } from '@keelson/modules/system';
import { people } from '../access.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    {
      path: '/notifications',
      title: 'Notifications',
      file: 'notifications',
      access: people,
      nav: {
        section: 'work',
        icon: 'mail',
        order: 70,
        key: 'g n',
        count: { operation: 'GET /notifications.php?action=unread', member: 'unread', type: 'notification' },
      },
    },
    {
      path: '/reply-templates',
      title: 'Reply templates',
      file: 'reply-templates',
      access: people,
      nav: { section: 'knowledge', icon: 'file', order: 20 },
    },
  ],
  panels: [
    {
      slot: 'home.card',
      title: 'Getting started',
      file: 'set-up-panel',
      access: administrators(WriteSettings),
      order: 1,
    },
    { slot: 'home.card', title: 'Notifications', file: 'notifications-panel', access: people, order: 6 },
    { slot: 'home.card', title: 'Timers', file: 'timers-panel', access: people, order: 7 },
    { slot: 'ticket.side', title: 'Timer', file: 'timer-panel', access: people, order: 10 },
  ],
});
