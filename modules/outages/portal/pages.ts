import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/status', title: 'Status', file: 'status', access: signedIn, nav: { icon: 'activity', order: 100 } },
  ],
  panels: [
    { slot: 'portal.home', title: 'Service status', file: 'status-panel', access: signedIn, order: 10 },
    { slot: 'portal.ask', title: 'Known problems', file: 'status-panel', access: signedIn, order: 10 },
  ],
  records: [
    {
      type: 'outage',
      title: 'Outage',
      path: '/status',
      icon: 'alert',
      access: signedIn,
      read: 'GET /status',
      name: 'title',
      id: 'outage_id',
    },
  ],
});
