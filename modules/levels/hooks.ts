import { hooked } from '@keelson/core/plugin';
import { TicketsWritten } from '@keelson/modules/tickets';
import { followTickets } from './clocks/follow.ts';

export default [hooked(TicketsWritten, followTickets)];
