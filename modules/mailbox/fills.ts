import { fill } from '@keelson/core/plugin';
import { TicketReplies } from '@keelson/modules/tickets';
import { readReplies } from './mailboxes/senders.ts';

export default [fill(TicketReplies, readReplies)];
