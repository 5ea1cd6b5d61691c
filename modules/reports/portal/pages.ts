import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/reports', title: 'Reports', file: 'reports', access: signedIn, nav: { icon: 'chart', order: 85 } },
    { path: '/reports/:id', title: 'Report', file: 'report', access: signedIn },
  ],
  records: [
    {
      type: 'report',
      title: 'Report',
      path: '/reports/:id',
      icon: 'chart',
      access: signedIn,
      read: 'GET /reports/{id}',
      find: 'GET /reports',
      name: 'name',
      id: 'report_id',
    },
  ],
});
