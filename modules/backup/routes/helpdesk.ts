import { created, helpdesk, input, item, list, pageOf, showOne, signedIn, ticketCreator, z } from '@keelson/core';
import { PortalDrill } from '../drills.ts';
import { PortalRequest, requestRestore } from '../restore-requests.ts';
import { PortalStatus, readPortalStatus } from '../states/portal-status.ts';

export default [
  helpdesk.get('/backup/status', {
    title: 'Read your company’s backup status',
    access: signedIn,
    returns: item(PortalStatus),
    handle: (ctx) => readPortalStatus(ctx),
  }),
  helpdesk.get('/backup/restore-requests', {
    title: 'List your restore requests',
    access: signedIn,
    query: helpdesk.paging({ status: PortalRequest.query.status }),
    returns: list(PortalRequest, 'restore_requests'),
    handle: (ctx, { query }) => pageOf(ctx, PortalRequest, query),
  }),
  helpdesk.post('/backup/restore-requests', {
    title: 'Request a restore',
    access: ticketCreator,
    body: z.object({
      description: input.longText(32_000),
      backup_id: input.clearable(input.id()),
      asset_id: input.clearable(input.id()),
      items: input.optional(z.array(input.text(500)).max(50)),
      restore_point: input.clearable(input.timestamp()),
      destination: input.clearable(input.text(500)),
      priority: input.optional(input.int(1, 5)),
    }),
    returns: created(PortalRequest),
    handle: (ctx, { body }) => showOne(ctx, PortalRequest, requestRestore(ctx, body)),
  }),
  helpdesk.get('/backup/drills', {
    title: 'List your company’s restore drills',
    access: signedIn,
    addition: true,
    query: helpdesk.paging({ result: PortalDrill.query.result }),
    returns: list(PortalDrill, 'drills'),
    handle: (ctx, { query }) => pageOf(ctx, PortalDrill, query),
  }),
];
