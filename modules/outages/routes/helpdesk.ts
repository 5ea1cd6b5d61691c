import { helpdesk, item, signedIn } from '@keelson/core';
import { PortalStatus } from '../shapes.ts';
import { readPortalStatus } from '../status/portal-status.ts';

export default [
  helpdesk.get('/status', {
    title: 'Show the status of your company’s services',
    access: signedIn,
    returns: item(PortalStatus),
    handle: (ctx) => readPortalStatus(ctx),
  }),
];
