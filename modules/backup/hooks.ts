import { hooked } from '@keelson/core/plugin';
import { TicketsWritten } from '@keelson/modules/tickets';
import { endOfDeleted } from './restore-requests.ts';

export default [hooked(TicketsWritten, endOfDeleted)];
