import { crm, item, param, z } from '@keelson/core';
import { entityTypes } from '../../entity-types.ts';
import { searchSomeArea } from '../../permissions.ts';
import { searchCrm } from '../../search-answer.ts';

// A larger limit is reduced to the maximum (P-03).
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const SearchAnswer = z.object({
  results: z.array(
    z.object({
      type: z.enum(entityTypes),
      id: z.int(),
      title: z.string(),
      subtitle: z.string(),
      score: z.number(),
      url: z.string(),
    }),
  ),
  total: z.int(),
  total_capped: z.literal(true).optional(),
  suggestions: z.array(z.string()).optional(),
});

export default [
  crm.get('/search', {
    title: 'Search the CRM',
    access: searchSomeArea,
    query: z.object({
      q: param.required(param.search()),
      types: param.text(),
      limit: param.int(1).meta({ override: { default: DEFAULT_LIMIT, maximum: MAX_LIMIT } }),
    }),
    returns: item(SearchAnswer),
    handle: (ctx, { query: { q, types, limit = DEFAULT_LIMIT } }) =>
      searchCrm(ctx, { q, types, limit: Math.min(limit, MAX_LIMIT) }),
  }),
];
