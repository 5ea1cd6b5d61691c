import { createSite, Site } from '@keelson/modules/directory';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asEmployee, portal, seedSite } from '../tickets-seed.ts';

test('List your company’s sites with their buildings', async (t) => {
  const app = await startApp(t);
  const { company_number, customer } = await seedCompany(app);
  const send = await asEmployee(app, await seedEmployee(app, { company_number }));
  await seedSite(app, company_number, 'Warehouse');
  const buildings = [{ name: 'Main', floors: [{ name: 'Ground' }] }];
  const { site_number } = await app.run((ctx) =>
    createSite(ctx, { company_number, site_name: 'Branch', city: 'York', buildings }),
  );
  await seedSite(app, (await seedCompany(app)).company_number, 'Somebody else’s');
  const { status, body } = await send('GET', '/sites');
  t.is(status, 200);
  const [branch, warehouse] = body.sites;
  const [building] = branch.buildings;
  t.deepEqual(branch, {
    site_number,
    site_name: 'Branch',
    company_number,
    company_name: customer,
    address: '',
    city: 'York',
    state: '',
    zip: '',
    country: '',
    phone: '',
    status: 'active',
    is_primary: false,
    employee_count: 0,
    asset_count: 0,
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
    buildings: [
      {
        building_id: building.building_id,
        name: 'Main',
        floors: [{ floor_id: building.floors[0].floor_id, name: 'Ground', level: 0, rooms: [] }],
      },
    ],
  });
  t.is(warehouse.site_name, 'Warehouse');
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 2, total_pages: 1 });
  const second = (await send('GET', '/sites?page=2&limit=1')).body;
  t.deepEqual([second.sites[0].site_name, second.pagination.total_pages], ['Warehouse', 2]);
  t.is((await send('GET', '/sites?page=x')).status, 400);
  t.true((await app.fewestStatements(() => send('GET', '/sites'))) <= 6);
  t.is((await app.request('GET', `${portal}/sites`)).status, 401);
});

test('a list of more than 1,000 rows says that there are more, and how to read them', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asEmployee(app, await seedEmployee(app, { company_number }));
  const { site_number: _, ...one } = await seedSite(app, company_number, 'Site 1000');
  const names = Array.from({ length: 1000 }, (_each, n) => `Site ${String(n).padStart(4, '0')}`);
  const others = names.map((site_name) => ({ ...one, site_name, site_key: site_name.toLowerCase() }));
  await app.app.database.insert(Site, others);
  const { body } = await send('GET', '/sites');
  t.is(body.sites.length, 1000);
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 1001, total_pages: 2 });
  const more = await send('GET', '/sites?limit=100&page=11');
  t.deepEqual(
    more.body.sites.map((each: { site_name: string }) => each.site_name),
    ['Site 1000'],
  );
});
