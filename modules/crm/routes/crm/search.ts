import { crm, item, param, z } from '@keelson/core';
import { searchSomeArea } from '../../permissions.ts';
import { searchCrm } from '../../search.ts';
import { SearchAnswer } from '../../shapes.ts';

export default [
  crm.get('/search', {
    title: 'Search the CRM',
    access: searchSomeArea,
    query: z.object({ q: param.required(param.text()), types: param.text(), limit: param.int(1) }),
    returns: item(SearchAnswer),
    // P-03: more than a hundred are not shown, whatever is asked.
    handle: (ctx, { query: { q, types, limit = 20 } }) => searchCrm(ctx, { q, types, limit: Math.min(limit, 100) }),
  }),
];
