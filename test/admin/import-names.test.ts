// Imports from other programs: their headers, names instead of numbers, and errors for unknown names.
import { readFileSync } from 'node:fs';
import { Asset } from '@keelson/modules/assets';
import { Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedKey } from '../accounts-seed.ts';
import { seedSite } from '../tickets-seed.ts';

let app: TestApp;
let token: string;
test.before(async () => {
  app = await openApp();
  const rights = ['contacts:read', 'contacts:write', 'contacts:access', 'assets:read', 'assets:write'];
  token = (await seedKey(app, 'admin', rights)).api_key;
});
test.after.always(() => app.close());

const fileOf = (name: string) => readFileSync(new URL(`../_files/${name}`, import.meta.url));

/** Uploads a file with options, as the page does. */
async function upload(path: string, bytes: string | Buffer, options: Record<string, unknown> = {}) {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(bytes as string)]), 'file.csv');
  for (const [name, value] of Object.entries(options)) form.append(name, String(value));
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('content-type') ?? '' };
  const body = Buffer.from(await sent.arrayBuffer());
  return app.request('POST', `/admin/api/v1${path}`, { token, headers, body });
}

test.serial('Import contacts: Microsoft 365 exports, and Windows-1252 spreadsheets', async (t) => {
  const { company_number } = await seedCompany(app);
  const seen = await upload('/contacts.php?action=import-preview', fileOf('microsoft-365-users.csv'));
  t.is(seen.status, 200);
  t.deepEqual(
    seen.body.data.columns.flatMap((each: any) => (each.field ? [[each.name, each.field, each.samples[0]]] : [])),
    [
      ['Block credential', 'blocked', 'False'],
      ['Department', 'department', 'Ops'],
      ['Display name', 'full_name', 'Ann Lee'],
      ['First name', 'first_name', 'Ann'],
      ['Last name', 'last_name', 'Lee'],
      ['User principal name', 'email', 'ann@example.com'],
    ],
  );
  const options = { company_number, profile: 'microsoft-365' };
  const path = '/contacts.php?action=import';
  t.like((await upload(path, fileOf('microsoft-365-users.csv'), options)).body.data, { created: 1, failed: 0 });
  t.like((await upload(path, fileOf('contacts-cp1252.csv'), options)).body.data, { created: 2, failed: 0 });
  const people = await app.run((ctx) => ctx.db.findBy(Employee, { company_number }));
  t.deepEqual(people.map((each) => `${each.first_name} ${each.last_name}`).toSorted(), [
    'Ann Lee',
    'Jörg Müller',
    "Zoë O'Neil",
  ]);
});

test.serial('Import contacts: full names, and companies and sites by name', async (t) => {
  const first = await seedCompany(app, 'Northern Lights');
  const second = await seedCompany(app, 'Southern Cross');
  const { site_number } = await seedSite(app, first.company_number, 'Harbour');
  const rows = [
    'Display Name,Mail,Client,Location',
    'Ann van Dyke,ann.dyke@names.example,NORTHERN  LIGHTS,harbour',
    '"Lee, Bob",bob.lee@names.example,Southern Cross,',
    'Cid,cid@names.example,Nowhere,',
    'Dee,dee@names.example,Southern Cross,Harbour',
  ];
  const { body } = await upload('/contacts.php?action=import', rows.join('\n'), { profile: 'halo' });
  t.like(body.data, { total: 4, created: 2, failed: 2 });
  t.deepEqual(
    body.data.errors.map((each: any) => [each.row, each.error]),
    [
      [3, 'company_name must be the name of a company'],
      [4, 'site_name must be the name of a site of the company'],
    ],
  );
  const stored = async (email: string) => {
    const found = await app.run((ctx) => ctx.db.findOneBy(Employee, { email }));
    return [found?.first_name, found?.last_name, found?.company_number, found?.site_number];
  };
  t.deepEqual(await stored('ann.dyke@names.example'), ['Ann', 'van Dyke', first.company_number, site_number]);
  t.deepEqual(await stored('bob.lee@names.example'), ['Bob', 'Lee', second.company_number, null]);
});

test.serial('Import assets of any company: by names, day-first dates, and no changes in a dry run', async (t) => {
  const { company_number } = await seedCompany(app, 'Orion Works');
  const { site_number } = await seedSite(app, company_number, 'Depot');
  const person = await seedEmployee(app, { company_number });
  const stranger = await seedEmployee(app);
  const rows = [
    'Device name;Client;Site;Primary user UPN;Purchase date;Serial',
    `PC-1;Orion Works;Depot;${person.email.toUpperCase()};24/10/2014;OW-1`,
    `PC-2;Orion Works;;${stranger.email};03/04/2014;OW-2`,
    'PC-3;Orion Works;;;03/04/2014;OW-3',
  ];
  const options = { profile: 'auto', dates: 'dmy' };
  const path = '/assets.php?action=import';
  const wanted = { total: 3, created: 2, failed: 1 };
  const tried = (await upload(path, rows.join('\n'), { ...options, dry_run: true })).body.data;
  t.like(tried, { ...wanted, dry_run: true });
  t.is(await app.app.database.countBy(Asset, { company_number }), 0);
  const done = (await upload(path, rows.join('\n'), options)).body.data;
  t.like(done, { ...wanted, dry_run: false });
  t.deepEqual(done.errors, [
    {
      row: 2,
      field: 'assigned_email',
      error: 'assigned_email must be the email or the name of a contact of the company',
    },
  ]);
  const stored = await app.run((ctx) => ctx.db.findBy(Asset, { company_number }));
  t.deepEqual(
    stored.map((each) => [each.machine_name, each.site_number, each.assigned_employee, each.purchase_date]),
    [
      ['PC-1', site_number, person.employee_number, '2014-10-24'],
      ['PC-3', null, null, '2014-04-03'],
    ],
  );
  t.like((await upload(path, rows.join('\n'), options)).body.data, { created: 0, failed: 3 }, 'they are there already');
});

test.serial(
  'Import assets of any company: assigned people are found by their full names, unless two have the same',
  async (t) => {
    const { company_number } = await seedCompany(app, 'Lyra Works');
    const seed = (first_name: string, last_name: string) =>
      seedEmployee(app, { company_number, first_name, last_name });
    const ann = await seed('Ann', 'van Dyke');
    const bob = await seed('Bob', 'Lee');
    await seed('Cid', 'Cole');
    await seed('Cid', 'Cole');
    const rows = ['Name,Client,Assigned To', ...['ann van Dyke', '"Lee, Bob"', 'Cid Cole', 'Dee Dole']];
    const text = rows.map((each, at) => (at === 0 ? each : `LY-${at},Lyra Works,${each}`)).join('\n');
    const { data } = (await upload('/assets.php?action=import', text, { profile: 'itflow' })).body;
    t.deepEqual(
      data.errors.map((each: any) => [each.row, each.field]),
      [
        [3, 'assigned_email'],
        [4, 'assigned_email'],
      ],
    );
    const stored = await app.run((ctx) => ctx.db.findBy(Asset, { company_number }));
    t.deepEqual(
      stored.map((each) => each.assigned_employee),
      [ann.employee_number, bob.employee_number],
    );
  },
);

test.serial(
  'Import contacts: exports of Microsoft 365, Outlook, GLPI and Google, also in German and French',
  async (t) => {
    const { company_number } = await seedCompany(app, 'Export Works');
    const imported = async (rows: readonly string[]) => {
      const options = { profile: 'auto', company_number };
      const { data } = (await upload('/contacts.php?action=import', rows.join('\r\n'), options)).body;
      t.deepEqual([data.created, data.errors], [rows.length - 1, []]);
      const order = { employee_number: 'ASC' } as const;
      const all = await app.run((ctx) => ctx.db.find(Employee, { where: { company_number }, order }));
      return all.slice(1 - rows.length);
    };
    t.like(
      await imported([
        'Block credential,Department,Display name,First name,Last name,Mobile Phone,Phone number,Title,User principal name',
        'False,Ops,Ann Lee,Ann,Lee,+1 555 1,+1 555 2,CEO,ann@exports.example',
        'True,,Old Account,,,,,,old@exports.example',
      ]),
      [
        { last_name: 'Lee', title: 'CEO', status: 'Active' },
        { first_name: 'Old', last_name: 'Account', status: 'Inactive' },
      ],
    );
    t.like(
      await imported([
        '"Anrede";"Vorname";"Nachname";"Firma";"Abteilung";"Position";"Telefon geschäftlich";"Mobiltelefon";"E-Mail-Adresse"',
        '"Frau";"Jutta";"Groß";"Export Works";"Einkauf";"Leiterin";"+49 30 1";"+49 171 1";"jutta@exports.example"',
      ]),
      [{ last_name: 'Groß', department: 'Einkauf', title: 'Leiterin', phone: '+49 30 1', mobile: '+49 171 1' }],
    );
    t.like(
      await imported([
        'Title,First Name,Last Name,Job Title,E-mail Address',
        'Mr,Out,Look,Clerk,"Out Look <out@exports.example>"',
      ]),
      [{ title: 'Clerk', email: 'out@exports.example' }],
    );
    t.like(
      await imported([
        '"Login";"Nom de famille";"Prénom";"Adresses de messagerie";"Actif";',
        '"glpi";"Dupont";"Éric";"eric@exports.example";"Oui";',
        '"post";"Martin";"Ève";"eve@exports.example";"Non";',
      ]),
      [
        { first_name: 'Éric', email: 'eric@exports.example', status: 'Active' },
        { first_name: 'Ève', status: 'Inactive' },
      ],
    );
    t.like(
      await imported([
        'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Status [READ ONLY],Employee Title',
        'Goo,Gle,goo@exports.example,****,Suspended,Dev',
      ]),
      [{ status: 'Inactive', title: 'Dev', password_hash: null }],
    );
  },
);
