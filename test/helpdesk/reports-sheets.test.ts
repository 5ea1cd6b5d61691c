// Reports in Google Sheets, against a local server that verifies requests as Google does.
import { generateKeyPairSync } from 'node:crypto';
import { startApp } from '@keelson/testing';
import test from 'ava';
import jwt from 'jsonwebtoken';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { answering, startReceiver, type Receiver } from '../_receiver.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asEmployee, asKey, seedTeam, seedTicket } from '../tickets-seed.ts';

const google = '/reports/google.php';
const sheets = '/reports/spreadsheets.php';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const client_email = 'reports@acme.iam.gserviceaccount.example';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const server = await startReceiver(t);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const admin = (method: string, path: string, body?: unknown) =>
    app.request(method, `/admin/api/v1${path}`, { cookie, headers, ...(body !== undefined && { body }) });
  const url = new URL(server.url).origin;
  const account = { client_email, private_key, token_url: `${url}/token`, api_url: url };
  return { app, server, admin, account };
}

test('Set the spreadsheet service account', async (t) => {
  const { app, admin, account } = await start(t);
  const { status, body, text } = await admin('PUT', google, account);
  t.is(status, 200);
  t.deepEqual(body.data, { configured: true, client_email, token_url: account.token_url, api_url: account.api_url });
  t.false(text.includes('PRIVATE'));
  const [stored] = await app.app.database.findBy(StoredSetting, { name: 'reports.google' });
  t.false(JSON.stringify(stored).includes('PRIVATE'));
  const refused = await admin('PUT', google, { ...account, private_key: 'no key' });
  t.deepEqual([refused.status, refused.body.error], [400, 'private_key must be a private RSA key in PEM']);
  t.is((await admin('PUT', google, { ...account, api_url: 'http://169.254.169.254/' })).status, 400);
  const reader = await asKey(app, ['settings:read']);
  t.is((await reader('PUT', google, account)).status, 403);
  // A key could otherwise send reports to any server, and write to every sheet of the account.
  const writer = await asKey(app, ['settings:read', 'settings:write', 'reports:read', 'reports:write']);
  for (const method of ['PUT', 'DELETE']) t.is((await writer(method, google, account)).status, 403, method);
});

test('Read the spreadsheet service account', async (t) => {
  const { app, admin } = await start(t);
  const none = { configured: false, client_email: null, token_url: null, api_url: null };
  t.deepEqual((await admin('GET', google)).body, { success: true, data: none });
  t.is((await (await asKey(app, ['reports:read']))('GET', google)).status, 403);
});

test('Remove the spreadsheet service account', async (t) => {
  const { admin, account } = await start(t);
  await admin('PUT', google, account);
  t.is((await admin('DELETE', google)).status, 204);
  t.false((await admin('GET', google)).body.data.configured);
});

test('Write a visible report to a spreadsheet', async (t) => {
  const { app, server, admin, account } = await start(t);
  const team = await seedTeam(app);
  const [member, stranger] = [await asEmployee(app, team.member), await asEmployee(app, team.stranger)];
  const { company_number, member: person } = team;
  await seedTicket(app, { company_number, employee_number: person.employee_number, subject: '=HYPERLINK("x")' });
  await seedTicket(app, { company_number, subject: 'Somebody else’s' });
  const fields = ['subject', 'priority', 'closed_at'];
  const { body } = await member('POST', '/reports', { name: 'Mine', source: 'tickets', fields });
  const path = `/reports/${body.report_id}/gsheet`;
  const spreadsheet_id = 'sheet-1_aZ09';
  const target = { spreadsheet_id, sheet_name: "Bob's" };
  const unset = await member('POST', path, target);
  t.deepEqual([unset.status, unset.body], [400, { error: 'No spreadsheet connection is configured' }]);

  await admin('PUT', google, account);
  const others = '1someone-elses-sheet';
  for (const given of [
    { company_number, name: 'Ours', spreadsheet_id },
    { company_number: team.stranger.company_number, name: 'Theirs', spreadsheet_id: others },
  ])
    t.is((await admin('POST', sheets, given)).status, 201);
  const twice = await admin('POST', sheets, { company_number, name: 'Also ours', spreadsheet_id: others });
  t.deepEqual([twice.status, twice.body.error], [409, 'spreadsheet_id already belongs to a company']);
  const hidden = { sheetId: 4, title: 'Notes', hidden: true, gridProperties: { rowCount: 9, columnCount: 9 } };
  const diagram = { sheetId: 5, title: 'Diagram' };
  behaveAsGoogle(server, [hidden, diagram, ...gridOf("Bob's", 1000, 26)]);
  const { status, body: synced } = await member('POST', path, target);
  t.is(status, 200);
  t.deepEqual(synced, {
    success: true,
    spreadsheet_id,
    spreadsheet_url: `https://docs.google.com/spreadsheets/d/${spreadsheet_id}`,
    rows_synced: 1,
    synced_at: '2026-03-02T09:00:00Z',
  });
  const [token, sheet, values, below, beside] = server.received;
  const grant = new URLSearchParams(token?.body);
  t.is(grant.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const now = Date.parse('2026-03-02T09:00:00Z') / 1000;
  const claims = jwt.verify(grant.get('assertion') ?? '', publicKey, {
    algorithms: ['RS256'],
    audience: account.token_url,
    issuer: client_email,
    clockTimestamp: now,
  });
  t.like(claims, { scope: 'https://www.googleapis.com/auth/spreadsheets', iat: now, exp: now + 600 });
  const paths = [sheet, values, below, beside].map((each) => decodeURIComponent(each?.path ?? ''));
  const of = `/v4/spreadsheets/${spreadsheet_id}`;
  const range = `${of}/values/'Bob''s'!`;
  const written = [`${range}A1?valueInputOption=RAW`, `${range}A3:Z1000:clear`, `${range}D1:Z1000:clear`];
  const asked = `${of}?fields=sheets.properties(sheetId,title,hidden,gridProperties(rowCount,columnCount))`;
  t.deepEqual(paths, [asked, ...written], 'written first, trimmed afterwards');
  t.deepEqual(values?.json, {
    majorDimension: 'ROWS',
    values: [
      ['Subject', 'Priority', 'Closed'],
      ['=HYPERLINK("x")', 3, ''],
    ],
  });
  t.is(server.received.length, 5);

  for (const id of [others, '1nobodys-sheet']) {
    const { status: code, body: answer } = await member('POST', path, { spreadsheet_id: id });
    const wrong = 'spreadsheet_id must be a spreadsheet that your service provider has set up for your company';
    t.deepEqual([code, answer.error], [400, wrong]);
  }
  const form = (await member('POST', path, { spreadsheet_id: '../../v4/secret' })).body.error;
  t.is(form, 'spreadsheet_id must be the ID from the URL of a Google spreadsheet');
  t.is(server.received.length, 5, 'Google was not asked');

  t.is((await stranger('POST', path, target)).status, 404);
  t.is((await member('POST', path, {})).body.spreadsheet_id, spreadsheet_id, 'the only one of the company');
  const absent = await member('POST', path, { sheet_name: 'Absent' });
  t.deepEqual([absent.status, absent.body.error], [400, 'sheet_name must be a sheet of the spreadsheet']);
  const second = { company_number, name: 'Ours too', spreadsheet_id: `${spreadsheet_id}-2` };
  t.is((await admin('POST', sheets, second)).status, 201);
  t.is((await admin('POST', sheets, second)).status, 409);
  t.is((await member('POST', path, {})).status, 400);
  server.behave(answering(403));
  t.is((await member('POST', path, target)).status, 503, 'no token');
  server.behave((request, response) =>
    response.writeHead(request.url === '/token' ? 200 : 403).end(JSON.stringify({ access_token: 'ya29.token' })),
  );
  const refused = await member('POST', path, target);
  t.is(refused.status, 400);
  t.true(refused.body.error.includes(client_email));
});

test('a sheet that is too small for the report grows', async (t) => {
  const { app, server, admin, account } = await start(t);
  const { company_number, itAdmin: person } = await seedTeam(app);
  const itAdmin = await asEmployee(app, person);
  await admin('PUT', google, account);
  await admin('POST', sheets, { company_number, name: 'Ours', spreadsheet_id: 'sheet-of-ours' });
  await seedTicket(app, { company_number, subject: 'First' });
  await seedTicket(app, { company_number, subject: 'Second' });
  const fields = ['ticket_number', 'subject', 'priority'];
  const { body } = await itAdmin('POST', '/reports', { name: 'All', source: 'tickets', fields });
  const exported = () => itAdmin('POST', `/reports/${body.report_id}/gsheet`, {});
  const [sheet] = behaveAsGoogle(server, gridOf('Sheet1', 2, 2));
  t.is((await exported()).body.rows_synced, 2);
  t.deepEqual(sheet?.gridProperties, { rowCount: 3, columnCount: 3 });
  const grown = server.received.filter(({ path }) => path.endsWith(':batchUpdate'));
  const append = (dimension: string) => ({ appendDimension: { sheetId: 0, dimension, length: 1 } });
  t.deepEqual(
    grown.map(({ json }) => json),
    [{ requests: [append('ROWS'), append('COLUMNS')] }],
  );
  t.is((await exported()).status, 200);
  t.is(server.received.filter(({ path }) => path.includes('clear')).length, 0, 'there is nothing outside');
});

interface SheetOfGoogle {
  /** Absent for 0. */
  readonly sheetId?: number;
  readonly title: string;
  readonly hidden?: boolean;
  gridProperties?: { rowCount: number; columnCount: number };
}
const gridOf = (title: string, rowCount: number, columnCount: number): SheetOfGoogle[] => [
  { title, gridProperties: { rowCount, columnCount } },
];

/** Makes a receiver answer as Google does, which rejects ranges and values outside a sheet's grid. Returns the sheets. */
function behaveAsGoogle(server: Receiver, all: readonly SheetOfGoogle[]) {
  const cellOf = (text: string) => {
    const [, letters = '', digits = '0'] = /^([A-Z]+)(\d+)$/.exec(text) ?? [];
    const column = Array.from(letters).reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0);
    return { column, row: Number(digits) };
  };
  const answerTo = ({ path, json }: Receiver['received'][number]): object | undefined => {
    if (path.includes('?fields=')) return { sheets: all.map((properties) => ({ properties })) };
    if (path.endsWith(':batchUpdate')) {
      for (const { appendDimension: added } of json.requests) {
        const grid = all.find(({ sheetId = 0 }) => sheetId === added.sheetId)?.gridProperties;
        if (grid) grid[added.dimension === 'ROWS' ? 'rowCount' : 'columnCount'] += added.length;
      }
      return {};
    }
    const [, title = '', first = '', last = first] =
      /\/values\/'(.+)'!([A-Z0-9]+)(?::([A-Z]+\d+))?/.exec(decodeURIComponent(path)) ?? [];
    const grid = all.find((each) => each.title === title.replaceAll("''", "'"))?.gridProperties;
    const from = cellOf(first);
    const size = { row: json.values?.length ?? 1, column: json.values?.[0].length ?? 1 };
    const ends = [cellOf(last), { row: from.row + size.row - 1, column: from.column + size.column - 1 }];
    const fits = grid && ends.every(({ row, column }) => row <= grid.rowCount && column <= grid.columnCount);
    return fits ? {} : undefined;
  };
  server.behave((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/token') return reply(200, { access_token: 'ya29.token', expires_in: 3599 });
    if (request.headers.authorization !== 'Bearer ya29.token') return reply(401, {});
    const sent = server.received.at(-1);
    const answer = sent && answerTo(sent);
    return answer ? reply(200, answer) : reply(400, { error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });
  return all;
}
