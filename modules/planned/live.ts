import { liveRecord } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { TicketTemplate } from './templates/entities.ts';

export default [liveRecord(TicketTemplate, { admin: ReadTickets })];
