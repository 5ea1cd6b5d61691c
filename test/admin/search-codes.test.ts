import test from 'ava';
import { startApp } from '@keelson/core/testing';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asKey } from '../tickets-seed.ts';

test('what technicians paste is found, with separators and without, and names without their special letters', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['assets:read', 'contacts:read', 'companies:read']);
  const { company_number } = await seedCompany(app);
  const mac_address = '0a:1b:2c:3d:4e:5f';
  await seedAsset(app, { company_number, machine_name: 'pc', serial_number: 'ZZ-98-76-YX', mac_address });
  for (const last_name of ['Straße', 'Ødegård']) await seedEmployee(app, { company_number, last_name });
  const total = async (path: string, text: string) => {
    const { body } = await send('GET', `${path}${encodeURIComponent(text)}`);
    return body.pagination?.total ?? body.data?.total ?? body.total;
  };
  for (const each of ['0a1b2c3d4e5f', '0A-1B-2C-3D-4E-5F', mac_address, 'ZZ9876YX', 'zz-98-76-yx']) {
    t.is(await total('/assets.php?search=', each), 1, each);
    t.is(await total('/search.php?q=', each), 1, each);
  }
  for (const each of ['strasse', 'Straße', 'odegard', 'Ødegård'])
    t.is(await total('/contacts.php?search=', each), 1, each);
});
