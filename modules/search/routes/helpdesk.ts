import { created, flat, helpdesk, list, nothing, pageOf, showOne, signedIn, z } from '@keelson/core';
import { answerShape, knownToEmployees, results, searchEverything, searchQuery } from '../answer.ts';
import { deleteSearch, lockSearch, newSearch, OwnSearch, saveSearch } from '../saved-searches.ts';

const arrays: ReadonlyMap<string, string> = new Map([['kb', 'articles']]);

const SearchAnswer = answerShape({
  tickets: results({ ticket_id: z.int(), ticket_number: z.int(), subject: z.string(), status: z.string() }),
  assets: results({ asset_id: z.int(), machine_name: z.string(), serial_number: z.string() }),
  employees: results({ employee_number: z.int(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  articles: results({ article_id: z.int(), title: z.string() }),
});

export default [
  helpdesk.get('/search', {
    title: 'Search your company',
    access: signedIn,
    query: searchQuery,
    returns: flat(SearchAnswer),
    handle: (ctx, { query }) =>
      searchEverything(
        ctx,
        { surface: 'helpdesk', company: ctx.actor.company_number, known: knownToEmployees },
        query,
        arrays,
      ),
  }),
  helpdesk.get('/searches', {
    title: 'List your saved searches',
    access: signedIn,
    query: helpdesk.paging(OwnSearch.query, { whole: true }),
    returns: list(OwnSearch, 'searches'),
    handle: (ctx, { query }) => pageOf(ctx, OwnSearch, query),
  }),
  helpdesk.post('/searches', {
    title: 'Save a search',
    access: signedIn,
    body: newSearch,
    returns: created(OwnSearch),
    handle: (ctx, { body }) => showOne(ctx, OwnSearch, saveSearch(ctx, body)),
  }),
  helpdesk.delete('/searches/{id}', {
    title: 'Delete a saved search',
    access: signedIn,
    returns: nothing(),
    load: (ctx, { id }) => lockSearch(ctx, id),
    handle: (ctx, { item: search }) => deleteSearch(ctx, search),
  }),
];
