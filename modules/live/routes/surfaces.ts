import { admin, anyCredential, helpdesk, signedIn } from '@keelson/core';
import { stream } from '@keelson/core/plugin';
import { adminSurface, helpdeskSurface } from '@keelson/core/system';
import { streams } from '../live.ts';

export default [
  admin.get('/live.php', {
    title: 'Subscribe to record changes',
    access: anyCredential,
    addition: true,
    returns: stream(),
    handle: (ctx, { http }) => streams(ctx.app).open(ctx, adminSurface, http.header('last-event-id')),
  }),
  helpdesk.get('/live', {
    title: 'Subscribe to changes of your records',
    access: signedIn,
    addition: true,
    returns: stream(),
    handle: (ctx, { http }) => streams(ctx.app).open(ctx, helpdeskSurface, http.header('last-event-id')),
  }),
];
