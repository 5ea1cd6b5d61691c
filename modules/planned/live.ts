import { liveRecord } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { RecurringTicket } from './recurring/entities.ts';
import { TicketTemplate } from './templates/entities.ts';

export default [
  liveRecord(TicketTemplate, { admin: ReadTickets }),
  liveRecord(RecurringTicket, { admin: ReadTickets }),
];
