import { subscriber } from '@keelson/core';
import { AssetDeleted } from '@keelson/modules/assets';
import { TicketUpdated } from '@keelson/modules/tickets';
import { retireOf } from './records/records.ts';
import { followTicket } from './restore-requests.ts';

export default [
  subscriber('backup.requests', TicketUpdated, (ctx, { data }) => followTicket(ctx, data.ticket_id)),
  subscriber('backup.deleted-assets', AssetDeleted, (ctx, { data }) => retireOf(ctx, data.asset_id)),
];
