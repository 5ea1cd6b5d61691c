import { consolePart } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { WritePlanned } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/recurring-tickets/new', title: 'New recurring ticket', file: 'create-recurring', access: WritePlanned },
    { path: '/recurring-tickets/:id/edit', title: 'Recurring ticket', file: 'edit-recurring', access: WritePlanned },
    { path: '/recurring-tickets/:id', title: 'Recurring ticket', file: 'recurring-ticket', access: ReadTickets },
  ],
  panels: [
    { slot: 'home.card', title: 'My tasks', file: 'my-tasks-panel', access: ReadTickets, order: 3 },
    { slot: 'ticket.new', title: 'Template', file: 'template-picker', access: WriteTickets },
    { slot: 'ticket.side', title: 'Checklist', file: 'checklist-panel', access: ReadTickets, order: 4 },
  ],
  lists: [
    {
      path: '/recurring-tickets',
      title: 'Recurring tickets',
      access: ReadTickets,
      nav: { section: 'work', icon: 'repeat', order: 24 },
      list: 'GET /recurring-tickets.php',
      id: 'recurring_id',
      columns: ['name', 'schedule', 'template_name', 'next_at', 'active', 'problem'],
      filters: ['active'],
      open: '/recurring-tickets/:id',
      empty: 'A recurring ticket creates tickets from a template on a schedule, such as a weekly backup check.',
      createPage: { title: 'New recurring ticket', path: '/recurring-tickets/new' },
    },
    {
      path: '/ticket-templates',
      title: 'Ticket templates',
      rows: 'templates',
      access: ReadTickets,
      nav: { section: 'administration', icon: 'file', order: 36 },
      list: 'GET /ticket-templates.php',
      id: 'template_id',
      columns: ['name', 'subject', 'job_type', 'priority', 'assigned_name'],
      open: '/ticket-templates/:id',
      empty: 'A template fills the form for a new ticket and adds a checklist.',
      create: { title: 'New template', operation: 'POST /ticket-templates.php', access: WritePlanned },
    },
  ],
  sheets: [
    {
      path: '/ticket-templates/:id',
      title: 'Ticket template',
      access: ReadTickets,
      read: 'GET /ticket-templates.php?id={id}',
      heading: 'name',
      facts: ['subject', 'job_type', 'priority', 'assigned_name', 'due_in_days'],
      texts: ['description'],
      parts: [{ title: 'Checklist', field: 'checklist', columns: ['title', 'required'] }],
      change: { operation: 'PUT /ticket-templates.php?id={id}', access: WritePlanned },
      remove: {
        operation: 'DELETE /ticket-templates.php?id={id}',
        access: WritePlanned,
        confirm: 'Delete this template? Tickets created from it stay as they are.',
      },
    },
  ],
  records: [
    {
      type: 'recurring_ticket',
      title: 'Recurring ticket',
      path: '/recurring-tickets/:id',
      icon: 'calendar',
      access: ReadTickets,
      read: 'GET /recurring-tickets.php?id={id}',
      find: 'GET /recurring-tickets.php',
      name: 'name',
      id: 'recurring_id',
    },
    {
      type: 'ticket_template',
      title: 'Ticket template',
      path: '/ticket-templates/:id',
      icon: 'file',
      access: ReadTickets,
      read: 'GET /ticket-templates.php?id={id}',
      find: 'GET /ticket-templates.php',
      name: 'name',
      id: 'template_id',
    },
  ],
});
