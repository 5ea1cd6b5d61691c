import { hooked } from '@keelson/core/plugin';
import { TicketFromTemplate, TicketsClosing, TicketsMerged } from '@keelson/modules/tickets';
import { addFromTemplate, moveChecklist, refuseUnfinished } from './checklists/follow.ts';

export default [
  hooked(TicketFromTemplate, addFromTemplate),
  hooked(TicketsMerged, moveChecklist),
  hooked(TicketsClosing, refuseUnfinished),
];
