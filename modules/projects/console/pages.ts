import { consolePart } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  lists: [
    {
      path: '/projects',
      companyTab: 80,
      title: 'Projects',
      access: ReadTickets,
      nav: { section: 'work', icon: 'target', order: 50, key: 'g p' },
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
      create: {
        title: 'New project',
        operation: 'POST /projects.php',
        access: WriteTickets,
        fields: ['company_number', 'name', 'description', 'status', 'start_date', 'due_date', 'notes'],
      },
    },
  ],
  sheets: [
    {
      path: '/projects/:id',
      title: 'Project',
      access: ReadTickets,
      read: 'GET /projects.php?id={id}',
      heading: 'name',
      facts: [
        'company_name',
        'status',
        'project_manager',
        'progress_percent',
        'start_date',
        'due_date',
        'completed_at',
        'overdue_milestones',
      ],
      texts: ['description', 'notes'],
      change: {
        operation: 'PUT /projects.php?id={id}',
        access: WriteTickets,
        fields: ['name', 'description', 'status', 'start_date', 'due_date', 'notes'],
      },
      remove: { operation: 'DELETE /projects.php?id={id}', access: WriteTickets },
      acts: [
        { title: 'Add a phase', operation: 'POST /projects.php?action=phases&id={id}', access: WriteTickets },
        {
          title: 'Add a milestone',
          operation: 'POST /projects.php?action=milestones&id={id}',
          access: WriteTickets,
          fields: ['name', 'description', 'due_date', 'amount', 'notes'],
        },
      ],
      related: [
        {
          title: 'Phases',
          list: 'GET /projects.php?action=phases&id={id}',
          with: { id: 'project_id' },
          columns: ['name', 'status', 'start_date', 'due_date'],
        },
        {
          title: 'Milestones',
          list: 'GET /projects.php?action=milestones&id={id}',
          with: { id: 'project_id' },
          columns: ['name', 'status', 'due_date', 'amount', 'decided_by', 'decided_at'],
        },
        {
          title: 'Punch list',
          list: 'GET /projects.php?action=punch-list&id={id}',
          with: { id: 'project_id' },
          columns: ['title', 'status', 'priority', 'location', 'submitted_by', 'created_at'],
        },
      ],
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
