import { helpdesk, item, signedIn } from '@keelson/core';
import { readPortalStatus } from '../portal-status.ts';
import { PortalStatus } from '../shapes.ts';

export default [
  helpdesk.get('/status', {
    title: 'Show the status of your company’s services',
    access: signedIn,
    returns: item(PortalStatus),
    handle: (ctx) => readPortalStatus(ctx),
  }),
];
