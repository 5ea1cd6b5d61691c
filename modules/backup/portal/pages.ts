import { portalPart, signedIn, ticketCreator } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/backup', title: 'Backup', file: 'backup', access: signedIn, nav: { icon: 'database', order: 90 } },
    { path: '/backup/restore', title: 'Request a restore', file: 'create-restore', access: ticketCreator },
  ],
  records: [
    {
      type: 'restore_request',
      title: 'Restore request',
      path: '/backup',
      icon: 'database',
      access: signedIn,
      read: 'GET /backup/restore-requests',
      name: 'description',
      id: 'request_id',
    },
  ],
});
