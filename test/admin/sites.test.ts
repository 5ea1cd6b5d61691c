import { Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedKey, unique } from '../accounts-seed.ts';
import { asKey, seedSite, seedTicket } from '../tickets-seed.ts';

const path = '/sites.php';
const at = (site_number: number) => `${path}?id=${site_number}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['companies:read', 'companies:write']);
});
test.after.always(() => app.close());

const zone = (zone_id: number, name: string) => ({ zone_id, name });
const tree = [
  {
    name: 'Main building',
    floors: [
      {
        name: 'Ground',
        rooms: [{ name: 'Server room', zones: [{ name: 'Rack A' }, { name: 'Rack B' }] }, { name: 'Hall' }],
      },
      { name: 'First', level: 1 },
    ],
  },
  { name: 'Shed' },
];

async function activity(site_number: number): Promise<unknown[]> {
  const rows = await app.app.database.query<{ action: string; description: string; changes: string }>({
    text: `SELECT action, description, changes FROM activity_log
      WHERE entity_type = 'site' AND entity_id = ? ORDER BY log_id`,
    params: [String(site_number)],
  });
  return rows.map(({ action, description, changes }) => [action, description, JSON.parse(changes)]);
}

test.serial('Create a site: with buildings, returning the full record', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const body = {
    company_number,
    site_name: 'Head office',
    address: '1 High Street',
    city: 'York',
    state: 'N. Yorkshire',
    zip: 'YO1 7EP',
    country: 'UK',
    phone: '+44 1904 000',
    status: 'Inactive',
    is_primary: true,
  };
  const answer = await send('POST', path, { ...body, buildings: tree });
  t.is(answer.status, 201);
  const { site_number, buildings } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      ...body,
      site_number,
      company_name: customer,
      status: 'inactive',
      employee_count: 0,
      asset_count: 0,
      created_at: now,
      updated_at: now,
      buildings,
    },
  });
  const [main, shed] = buildings;
  const [ground, first] = main.floors;
  const [server, hall] = ground.rooms;
  t.deepEqual(buildings, [
    {
      building_id: main.building_id,
      name: 'Main building',
      floors: [
        {
          floor_id: ground.floor_id,
          name: 'Ground',
          level: 0,
          rooms: [
            {
              room_id: server.room_id,
              name: 'Server room',
              zones: [zone(server.zones[0].zone_id, 'Rack A'), zone(server.zones[1].zone_id, 'Rack B')],
            },
            { room_id: hall.room_id, name: 'Hall', zones: [] },
          ],
        },
        { floor_id: first.floor_id, name: 'First', level: 1, rooms: [] },
      ],
    },
    { building_id: shed.building_id, name: 'Shed', floors: [] },
  ]);
  t.deepEqual(await activity(site_number), [['create', 'Site Head office created', {}]]);
});

test.serial('Create a site: invalid input and duplicate names are reported', async (t) => {
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  await seedSite(app, company_number, 'Depot');
  const refused = async (body: unknown) => {
    const answer = await send('POST', path, body);
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused({}), [400, 'company_number is required; site_name is required']);
  t.deepEqual(await refused({ company_number: 999_999, site_name: 'X' }), [
    400,
    'company_number must be an existing company',
  ]);
  t.deepEqual(await refused({ company_number, site_name: ' DEPOT ' }), [409, 'site_name DEPOT already exists']);
  t.deepEqual(
    await refused({ company_number, site_name: 'X', buildings: [{ floors: [{ name: 'A', level: 'up' }] }] }),
    [400, 'buildings[0].name is required; buildings[0].floors[0].level must be a whole number'],
  );
  t.deepEqual(await refused({ company_number, site_name: 'X', buildings: [{ name: 'A', building_id: 1 }] }), [
    400,
    'building_id must be a building of the site',
  ]);
  t.is((await send('POST', path, { company_number: other, site_name: 'Depot' })).status, 201, 'unique per company');
});

test.serial('Read a site with its buildings', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const { body, status } = await send('GET', at(site_number));
  t.is(status, 200);
  t.like(body.data, { site_number, site_name: 'Head office', buildings: [], employee_count: 0 });
  const absent = await send('GET', at(999_999));
  t.deepEqual([absent.status, absent.body], [404, { success: false, error: 'Site not found' }]);
});

test.serial('Read the buildings of a site', async (t) => {
  const { company_number } = await seedCompany(app);
  const { buildings, site_number } = (await send('POST', path, { company_number, site_name: 'Tower', buildings: tree }))
    .body.data;
  const { status, body } = await send('GET', `${path}?action=hierarchy&id=${site_number}`);
  t.is(status, 200);
  t.deepEqual(body, { success: true, data: { site_number, site_name: 'Tower', buildings } });
  t.is((await send('GET', `${path}?action=hierarchy&id=999999`)).status, 404);
});

test.serial('List all sites: by name, for one company or all, searched and paged', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const word = unique('Dock').replace(' ', '');
  const first = (await send('POST', path, { company_number, site_name: `${word} b`, address: `${word}street` })).body
    .data;
  await send('POST', path, { company_number, site_name: `${word} A` });
  const { company_number: other } = await seedCompany(app);
  await send('POST', path, { company_number: other, site_name: `${word} C`, city: `${word}town` });
  const { buildings: _b, ...shown } = first;
  const own = await send('GET', `${path}?company_number=${company_number}`);
  t.is(own.status, 200);
  t.deepEqual(own.body.data[1], { ...shown, company_name: customer });
  t.deepEqual(own.body.pagination, { page: 1, per_page: 25, total: 2, total_pages: 1 });
  const found = async (query: string) => {
    const { body } = await send('GET', `${path}?${query}`);
    return body.data.map((each: { site_name: string }) => each.site_name);
  };
  t.deepEqual(await found(`search=${word}`), [`${word} A`, `${word} b`, `${word} C`]);
  t.deepEqual(await found(`search=${word}&company_number=${other}`), [`${word} C`]);
  t.deepEqual(await found(`search=${word}STREET`), [`${word} b`]);
  t.deepEqual(await found(`search=${word}town`), [], 'the city is not searched (P-26)');
  t.deepEqual(await found(`search=${word}&page=2&per_page=2`), [`${word} C`]);
  t.deepEqual(await found('company_number=999999'), []);
  t.is((await send('GET', `${path}?company_number=x`)).status, 400);
  t.is((await send('GET', `${path}?page=0`)).status, 400);
  t.true((await app.fewestStatements(() => send('GET', path))) <= 6);
});

test.serial('List all sites: with employee counts', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const employee = await seedEmployee(app, { company_number });
  const { site_number: other } = await seedSite(app, company_number, 'Branch');
  const contacts = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
  const move = async (to: number | null) => {
    const moved = await contacts('PUT', `/contacts.php?id=${employee.employee_number}`, { site_number: to });
    t.is(moved.status, 200);
    const { body } = await send('GET', `${path}?company_number=${company_number}`);
    return body.data.map((each: { employee_count: number }) => each.employee_count);
  };
  t.deepEqual(await move(site_number), [0, 1]);
  t.deepEqual(await move(other), [1, 0]);
  t.deepEqual(await move(null), [0, 0]);
});

test.serial(
  'Update a site and its buildings: places with an id are changed, those without one created, and the rest deleted',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const created = (await send('POST', path, { company_number, site_name: 'Works', buildings: tree })).body.data;
    const { site_number } = created;
    const [main, shed] = created.buildings;
    const [ground, first] = main.floors;
    const [server, hall] = ground.rooms;
    const answer = await send('PUT', at(site_number), {
      city: 'Hull',
      buildings: [
        { name: 'Gate' },
        {
          building_id: main.building_id,
          name: 'Main house',
          floors: [
            {
              floor_id: first.floor_id,
              name: 'First',
              rooms: [{ room_id: hall.room_id, name: 'Hall' }, { name: 'Attic' }],
            },
            {
              floor_id: ground.floor_id,
              name: 'Ground',
              level: -1,
              rooms: [{ room_id: server.room_id, name: 'Servers' }],
            },
          ],
        },
      ],
    });
    t.is(answer.status, 200);
    const [gate, house] = answer.body.data.buildings;
    const attic = house.floors[0].rooms[1];
    t.deepEqual(answer.body.data.buildings, [
      { building_id: gate.building_id, name: 'Gate', floors: [] },
      {
        building_id: main.building_id,
        name: 'Main house',
        floors: [
          {
            floor_id: first.floor_id,
            name: 'First',
            level: 1,
            rooms: [
              { room_id: hall.room_id, name: 'Hall', zones: [] },
              { room_id: attic.room_id, name: 'Attic', zones: [] },
            ],
          },
          {
            floor_id: ground.floor_id,
            name: 'Ground',
            level: -1,
            rooms: [{ room_id: server.room_id, name: 'Servers', zones: server.zones }],
          },
        ],
      },
    ]);
    t.deepEqual((await activity(site_number)).at(-1), [
      'update',
      'Site Works updated',
      { city: ['', 'Hull'], buildings: ['changed', 'changed'] },
    ]);
    const { buildings } = answer.body.data;
    t.deepEqual((await send('PUT', at(site_number), { buildings })).body.data.buildings, buildings);
    t.deepEqual((await send('PUT', at(site_number), { city: 'Hull' })).body.data.buildings, buildings, 'left alone');
    t.is((await activity(site_number)).length, 2, 'the same changes nothing');
    const refused = async (body: unknown) => (await send('PUT', at(site_number), body)).body.error;
    t.is(
      await refused({ buildings: [{ building_id: shed.building_id, name: 'Shed' }] }),
      'building_id must be a building of the site',
      'it went',
    );
    t.is(
      await refused({ buildings: [{ building_id: hall.room_id, name: 'X' }] }),
      'building_id must be a building of the site',
    );
    const twice = { building_id: gate.building_id, name: 'X' };
    t.is(await refused({ buildings: [twice, twice] }), 'building_id must be unique within the site');
    t.deepEqual((await send('PUT', at(site_number), { buildings: [] })).body.data.buildings, []);
  },
);

test.serial('Update a site and its buildings: fields and names; the company cannot change', async (t) => {
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number, 'Old');
  const { site_number: second } = await seedSite(app, company_number, 'Second');
  const changed = await send('PUT', at(site_number), { site_name: 'New', is_primary: true, company_number });
  t.like(changed.body.data, { site_name: 'New', is_primary: true, status: 'active' });
  t.is((await send('PUT', at(second), { is_primary: true })).body.data.is_primary, true);
  t.is((await send('GET', at(site_number))).body.data.is_primary, false, 'a company has one');
  t.deepEqual((await activity(site_number)).at(-1), ['update', 'Site New updated', { is_primary: [true, false] }]);
  const refused = async (body: unknown, id = site_number) => {
    const answer = await send('PUT', at(id), body);
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused({ company_number: other }), [400, 'company_number of a site cannot be changed']);
  t.deepEqual(await refused({ site_name: 'second' }), [409, 'site_name second already exists']);
  t.deepEqual(await refused({}), [400, 'No fields to update']);
  t.deepEqual(await refused({ status: 'asleep' }), [400, 'status must be one of: active, inactive']);
  t.deepEqual(await refused({ site_name: 'X' }, 999_999), [404, 'Site not found']);
  const { ticket_id } = await seedTicket(app, { company_number, site_number });
  const tickets = await asKey(app);
  const siteName = async () => (await tickets('GET', `/tickets.php?id=${ticket_id}`)).body.data.site_name;
  t.is(await siteName(), 'New');
  await send('PUT', at(site_number), { site_name: 'Newest' });
  t.is(await siteName(), 'Newest', 'at once');
});

test.serial('Delete a site: not while anything is located there', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number, 'Annex');
  const { ticket_id } = await seedTicket(app, { company_number, site_number });
  const employee = await seedEmployee(app, { company_number });
  await app.app.database.update(Employee, { employee_number: employee.employee_number }, { site_number });
  const refused = await send('DELETE', at(site_number));
  t.deepEqual(
    [refused.status, refused.body],
    [409, { success: false, error: 'Site still has contacts and tickets; set it inactive instead' }],
  );
  const tickets = await asKey(app);
  await tickets('DELETE', `/tickets.php?id=${ticket_id}`);
  await app.app.database.update(Employee, { employee_number: employee.employee_number }, { site_number: null });
  t.is((await send('DELETE', at(site_number))).status, 204);
  t.is((await send('GET', at(site_number))).status, 404);
  t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, 0);
  t.deepEqual((await activity(site_number)).at(-1), ['delete', 'Site Annex deleted', {}]);
  t.is((await send('POST', path, { company_number, site_name: 'Annex' })).status, 201, 'the name is free again');
});

test.serial('sites require a credential and the permission', async (t) => {
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const { api_key: reader } = await seedKey(app, 'admin', ['companies:read']);
  const { api_key: other } = await seedKey(app, 'admin', ['contacts:read', 'contacts:write', 'contacts:access']);
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `?id=${site_number}`],
    ['PUT', `?id=${site_number}`],
    ['DELETE', `?id=${site_number}`],
    ['GET', `?action=hierarchy&id=${site_number}`],
  ] as const;
  for (const [method, query] of calls) {
    const route = `/admin/api/v1${path}${query}`;
    const body = method === 'POST' || method === 'PUT' ? { body: { company_number, site_name: 'X' } } : {};
    t.is((await app.request(method, route, body)).status, 401, route);
    t.is((await app.request(method, route, { ...body, token: other })).status, 403, route);
    const { status } = await app.request(method, route, { ...body, token: reader });
    t.is(status, method === 'GET' ? 200 : 403, route);
  }
});
