import { helpdesk, list, signedIn } from '@keelson/core';
import { listOwnSites, SiteDetail } from '../../sites/site-detail.ts';

export default [
  helpdesk.get('/sites', {
    title: 'List your company’s sites with their buildings',
    access: signedIn,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(SiteDetail, 'sites'),
    handle: (ctx, { query }) => listOwnSites(ctx, query),
  }),
];
