import { admin, all, list, nounRoutes, param, z } from '@keelson/core';
import { ReadTickets, TicketItem, WriteTickets } from '@keelson/modules/tickets';
import {
  AppointmentItem,
  Appointments,
  cancelAppointment,
  changeAppointment,
  planAppointment,
} from '../../appointments/appointments.ts';
import { appointmentFields, newAppointmentFields } from '../../appointments/fields.ts';
import { BoardPerson, pageUnplanned, readBoard } from '../../board/board.ts';

const { search, team_id } = TicketItem.query;

export default [
  ...nounRoutes(admin, '/dispatch/appointments.php?id={id}', Appointments, {
    addition: true,
    titles: {
      list: 'List appointments',
      create: 'Plan an appointment',
      read: 'Read an appointment',
      update: 'Change or move an appointment',
      delete: 'Cancel an appointment',
    },
    read: ReadTickets,
    write: WriteTickets,
    view: AppointmentItem,
    fields: appointmentFields,
    newFields: newAppointmentFields,
    create: planAppointment,
    change: changeAppointment,
    remove: cancelAppointment,
  }),
  admin.get('/dispatch/board.php', {
    title: 'Read the dispatch board',
    addition: true,
    access: ReadTickets,
    query: z.object({
      from: param.required(param.dayOrTime('from')),
      until: param.required(param.dayOrTime('from')),
      team_id: param.id(),
    }),
    returns: all(BoardPerson),
    handle: (ctx, { query }) => readBoard(ctx, query),
  }),
  admin.get('/dispatch/unplanned.php', {
    title: 'List unresolved tickets without an appointment',
    addition: true,
    access: ReadTickets,
    query: admin.paging({ search, team_id }),
    returns: list(TicketItem),
    handle: (ctx, { query }) => pageUnplanned(ctx, query),
  }),
];
