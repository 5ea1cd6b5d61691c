import { flat, helpdesk, signedIn, z } from '@keelson/core';
import { answerShape, results, searchEverything, searchQuery } from '../answer.ts';

const known = { tickets: [], assets: [], employees: [], kb: [] };
const arrays: ReadonlyMap<string, string> = new Map([['kb', 'articles']]);

const SearchAnswer = answerShape({
  tickets: results({ ticket_id: z.int(), ticket_number: z.int(), subject: z.string(), status: z.string() }),
  assets: results({ asset_id: z.int(), machine_name: z.string(), serial_number: z.string() }),
  employees: results({ employee_number: z.int(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  articles: results({ article_id: z.int(), title: z.string() }),
});

export default [
  helpdesk.get('/search', {
    title: 'Search one’s company',
    access: signedIn,
    query: searchQuery,
    returns: flat(SearchAnswer),
    handle: (ctx, { query }) =>
      searchEverything(ctx, { surface: 'helpdesk', company: ctx.actor.company_number, known }, query, arrays),
  }),
];
