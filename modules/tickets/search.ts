import { searchable, signedIn, view, type Context, type EmployeeActor } from '@keelson/core';
import { Company, CompanyNames, Employee } from '@keelson/modules/directory';
import { Ticket } from './entities.ts';
import { ReadTickets } from './permissions.ts';
import { TicketNoun } from './ticket/list.ts';
import { visibleTickets } from './ticket/visible.ts';

const only = ['ticket_id', 'ticket_number', 'subject', 'status'] as const;

export default [
  searchable(Ticket, {
    name: ['ticket_number', 'subject'],
    main: ['description'],
    through: { company_number: Company, requester_employee_number: Employee },
    facets: ['status'],
    title: ({ subject }) => subject,
    subtitle: ({ ticket_number, status }) => `${ticket_number}, ${status}`,
    found: {
      admin: {
        type: 'tickets',
        access: ReadTickets,
        view: view(TicketNoun, { only, more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }) }),
      },
      helpdesk: {
        type: 'tickets',
        access: signedIn,
        view: view(TicketNoun, {
          only,
          visible: (ctx: Context<EmployeeActor>) => visibleTickets(ctx, 'seen'),
        }),
      },
    },
  }),
];
