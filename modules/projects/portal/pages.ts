import { manager, portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/projects', title: 'Projects', file: 'projects', access: signedIn, nav: { icon: 'flag', order: 60 } },
    { path: '/projects/:id', title: 'Project', file: 'project', access: signedIn },
  ],
  panels: [
    {
      slot: 'portal.home',
      title: 'Milestones awaiting approval',
      file: 'milestones-panel',
      access: manager,
      order: 30,
    },
    { slot: 'portal.approvals', title: 'Milestones', file: 'milestones-panel', access: manager, order: 10 },
  ],
  records: [
    {
      type: 'project',
      title: 'Project',
      path: '/projects/:id',
      icon: 'flag',
      access: signedIn,
      read: 'GET /projects/{project_id}',
      find: 'GET /projects',
      name: 'name',
      id: 'project_id',
    },
    {
      type: 'milestone',
      title: 'Milestone',
      path: '/approvals',
      icon: 'flag',
      access: signedIn,
      read: 'GET /milestones/{id}',
      find: 'GET /projects',
      name: 'name',
      id: 'milestone_id',
    },
    {
      type: 'punch_item',
      title: 'Punch-list item',
      path: '/projects',
      icon: 'list',
      access: signedIn,
      read: 'GET /projects/{project_id}',
      name: 'title',
      id: 'item_id',
    },
  ],
});
