import { fill } from '@keelson/core/plugin';
import { TicketReplies } from '@keelson/modules/tickets';
import { readReplies } from './senders.ts';

export default [fill(TicketReplies, readReplies)];
