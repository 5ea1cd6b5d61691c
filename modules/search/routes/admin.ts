import { admin, anyCredential, item, z, type Access, type Admin } from '@keelson/core';
import { answerShape, results, searchEverything, searchQuery } from '../answer.ts';

/** The company of each hit, because customers may have machines with the same name. */
const ofCompany = { company_name: z.string().nullable() };

const known = { tickets: [], companies: [], assets: [], contacts: [], kb: [] };

const SearchAnswer = answerShape({
  tickets: results({
    ...ofCompany,
    ticket_id: z.int(),
    ticket_number: z.int(),
    subject: z.string(),
    status: z.string(),
  }),
  companies: results({ company_number: z.int(), customer: z.string() }),
  assets: results({ ...ofCompany, asset_id: z.int(), machine_name: z.string(), serial_number: z.string() }),
  contacts: results({
    ...ofCompany,
    employee_number: z.int(),
    contact_id: z.int(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
  }),
  kb: results({ article_id: z.int(), title: z.string() }),
  // Searched only if `types` names them.
  alerts: results({
    ...ofCompany,
    alert_id: z.int(),
    alert_type: z.string(),
    severity: z.string(),
    status: z.string(),
    message: z.string(),
  }),
  collectors: results({ ...ofCompany, collector_id: z.string(), name: z.string(), status: z.string() }),
  invoices: results({ ...ofCompany, invoice_id: z.int(), invoice_number: z.string(), status: z.string() }),
  // Searched even without `types`, and included in the response if found.
  proposals: results({
    ...ofCompany,
    proposal_id: z.int(),
    proposal_number: z.string(),
    title: z.string(),
    status: z.string(),
  }),
  credit_notes: results({ ...ofCompany, credit_note_id: z.int(), credit_note_number: z.string() }),
  contracts: results({
    ...ofCompany,
    contract_id: z.int(),
    contract_number: z.string(),
    name: z.string(),
    status: z.string(),
  }),
  outages: results({ outage_id: z.int(), title: z.string(), severity: z.string(), status: z.string() }),
  devices: results({
    ...ofCompany,
    result_id: z.int(),
    hostname: z.string(),
    ip_address: z.string(),
    mac_address: z.string(),
    serial_number: z.string(),
    asset_id: z.int().nullable(),
  }),
});

/** The searchable types of a key depend on its permissions; a key without any is refused (Z-48). */
const searchers: Access<Admin> = Object.freeze({ ...anyCredential, title: 'any credential; per type :read' });

export default [
  admin.get('/search.php', {
    title: 'Search everything',
    access: searchers,
    query: searchQuery,
    returns: item(SearchAnswer),
    handle: (ctx, { query }) => searchEverything(ctx, { surface: 'admin', known }, query),
  }),
];
