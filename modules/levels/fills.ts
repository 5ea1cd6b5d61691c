import { fill } from '@keelson/core/plugin';
import { ReadTickets, TicketLevels } from '@keelson/modules/tickets';
import { readLevelsOf } from './clocks/levels-of.ts';

export default [fill(TicketLevels, readLevelsOf, ReadTickets)];
