import { consolePart } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/projects/board', title: 'Project board', file: 'board', access: ReadTickets },
    { path: '/projects/:id', title: 'Project', file: 'project', access: ReadTickets },
  ],
  lists: [
    {
      path: '/projects',
      companyTab: 80,
      title: 'Projects',
      access: ReadTickets,
      nav: { section: 'work', icon: 'board', order: 50, key: 'g p' },
      list: 'GET /projects.php',
      id: 'project_id',
      columns: [
        'name',
        'company_name',
        'status',
        'progress_percent',
        'project_manager',
        'due_date',
        'overdue_milestones',
      ],
      filters: ['status'],
      open: '/projects/:id',
      links: [{ title: 'Board', path: '/projects/board', icon: 'board' }],
      create: {
        title: 'New project',
        operation: 'POST /projects.php',
        access: WriteTickets,
        fields: ['company_number', 'name', 'project_manager_id', 'start_date', 'due_date', 'description'],
      },
    },
  ],
  records: [
    {
      type: 'project',
      title: 'Project',
      path: '/projects/:id',
      icon: 'target',
      access: ReadTickets,
      read: 'GET /projects.php?id={id}',
      find: 'GET /projects.php',
      name: 'name',
      id: 'project_id',
    },
  ],
});
