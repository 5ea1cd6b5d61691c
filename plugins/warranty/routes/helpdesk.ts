import { helpdesk, list, pageOf, signedIn } from '@keelson/core';
import { PortalClaim } from '../claims.ts';

export default [
  helpdesk.get('/warranty/claims', {
    title: 'List your company’s warranty claims',
    access: signedIn,
    query: helpdesk.paging({ state: PortalClaim.query.state }),
    returns: list(PortalClaim, 'claims'),
    handle: (ctx, { query }) => pageOf(ctx, PortalClaim, query),
  }),
];
