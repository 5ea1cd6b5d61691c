import { helpdesk, item, signedIn } from '@keelson/core';
import { readPortalStatus } from '../portal-status.ts';
import { PortalStatus } from '../shapes.ts';

export default [
  helpdesk.get('/status', {
    title: 'Show how the company’s services are',
    access: signedIn,
    returns: item(PortalStatus),
    handle: (ctx) => readPortalStatus(ctx),
  }),
];
