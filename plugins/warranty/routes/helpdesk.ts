import { helpdesk, list, param, signedIn } from '@keelson/core';
import { listVisibleClaims } from '../claims.ts';
import { states } from '../entities.ts';
import { PortalClaim } from '../shapes.ts';

export default [
  helpdesk.get('/warranty/claims', {
    title: 'List one’s company’s warranty claims',
    access: signedIn,
    query: helpdesk.paging({ state: param.choice(states, { all: true }) }),
    returns: list(PortalClaim, 'claims'),
    handle: (ctx, { query }) => listVisibleClaims(ctx, query),
  }),
];
