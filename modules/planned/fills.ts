import { fill } from '@keelson/core/plugin';
import { ReadTickets, TicketChecklist } from '@keelson/modules/tickets';
import { readChecklists } from './checklists/checklist.ts';

export default [fill(TicketChecklist, readChecklists, ReadTickets)];
