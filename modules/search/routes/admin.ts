import { admin, anyCredential, item, z } from '@keelson/core';
import { answerShape, results, searchEverything, searchQuery } from '../answer.ts';

const known = { tickets: [], companies: [], assets: [], contacts: [], kb: [] };

const SearchAnswer = answerShape({
  tickets: results({ ticket_id: z.int(), ticket_number: z.int(), subject: z.string(), status: z.string() }),
  companies: results({ company_number: z.int(), customer: z.string() }),
  assets: results({ asset_id: z.int(), machine_name: z.string(), serial_number: z.string() }),
  contacts: results({
    employee_number: z.int(),
    contact_id: z.int(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
  }),
  kb: results({ article_id: z.int(), title: z.string() }),
});

export default [
  // Which types a key may search depends on its permissions (Z-48).
  admin.get('/search.php', {
    title: 'Search everything',
    access: anyCredential,
    query: searchQuery,
    returns: item(SearchAnswer),
    handle: (ctx, { query }) => searchEverything(ctx, { surface: 'admin', known }, query),
  }),
];
