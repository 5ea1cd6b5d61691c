import { subscriber } from '@keelson/core';
import { ApproversChanged } from '@keelson/modules/directory';
import { releasePending } from './approvals/approval.ts';
import { TicketNotice } from './events.ts';
import { mailNotice } from './notices.ts';

export default [
  subscriber('tickets.mail', TicketNotice, mailNotice),
  subscriber('tickets.release', ApproversChanged, (ctx, { data }) => releasePending(ctx, data.company_number)),
];
