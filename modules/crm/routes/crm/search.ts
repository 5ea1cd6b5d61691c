import { crm, item, param, z } from '@keelson/core';
import { searchSomeArea } from '../../permissions.ts';
import { searchCrm } from '../../search/search.ts';
import { SearchAnswer } from '../../shapes.ts';

// P-03: more than a hundred are not shown, whatever is asked.
const USUAL = 20;
const MOST = 100;

export default [
  crm.get('/search', {
    title: 'Search the CRM',
    access: searchSomeArea,
    query: z.object({
      q: param.required(param.search()),
      types: param.text(),
      limit: param.int(1).meta({ override: { default: USUAL, maximum: MOST } }),
    }),
    returns: item(SearchAnswer),
    handle: (ctx, { query: { q, types, limit = USUAL } }) => searchCrm(ctx, { q, types, limit: Math.min(limit, MOST) }),
  }),
];
