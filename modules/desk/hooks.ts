import { hooked } from '@keelson/core/plugin';
import { TicketsWritten } from '@keelson/modules/tickets';
import { announceUnassigned } from './notifications/mails.ts';

export default [hooked(TicketsWritten, announceUnassigned)];
