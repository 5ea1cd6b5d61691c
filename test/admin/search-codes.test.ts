import { createContract } from '@keelson/modules/inventory';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { seedInvoice, seedPayer } from '../billing-seed.ts';
import { seedDraft } from '../sales-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

test('pasted codes are found with and without separators, and names without diacritics', async (t) => {
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

test('an IPv6 address is found in every notation', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['assets:read']);
  const { company_number } = await seedCompany(app);
  await seedAsset(app, { company_number, machine_name: 'pc', ip_address: '2001:db8::7' });
  await seedAsset(app, { company_number, machine_name: 'other', ip_address: '2001:db8::9' });
  for (const each of ['2001:db8::7', '2001:0DB8:0000:0000:0000:0000:0000:0007', 'pc 2001:db8:0:0::7', '2001:db8::0007'])
    t.like((await send('GET', `/assets.php?search=${encodeURIComponent(each)}`)).body.data[0], {
      ip_address: '2001:db8::7',
    });
});

test('words with umlauts are found when typed without, and names also the other way round', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['tickets:read', 'contacts:read', 'companies:read']);
  const { company_number } = await seedCompany(app, 'Süddeutsche Zahna\u0308rztekammer');
  for (const last_name of ['Müller-Lüdenscheidt', 'Mueller', 'Ørsted', 'Aagaard', 'Ångström'])
    await seedEmployee(app, { company_number, last_name });
  await seedTicket(app, { company_number, subject: 'Passwort ZURÜCKSETZEN: Tür' });
  const total = async (path: string, text: string) =>
    (await send('GET', `${path}?search=${encodeURIComponent(text)}`)).body.pagination.total;
  for (const each of ['mueller', 'Müller', 'muller', 'MUELL']) t.is(await total('/contacts.php', each), 2, each);
  for (const each of ['luedenscheidt', 'oersted', 'orsted', 'aagaard', 'agaard', 'Ågaard', 'aangstroem', 'angstrom'])
    t.is(await total('/contacts.php', each), 1, each);
  for (const each of ['sueddeutsche', 'zahnaerzte', 'Zahnärztekammer'])
    t.is(await total('/companies.php', each), 1, each);
  for (const each of ['zuruecksetzen', 'zurück', 'tuer', 'tür', 'tur'])
    t.is(await total('/tickets.php', each), 1, each);
  const found = await send('GET', '/search.php?q=mueller&types=contacts');
  t.deepEqual(
    found.body.data.contacts.map((each: { score: number }) => each.score),
    [1, 1],
  );
});

test('a caller is found by phone number, however it is stored and dialled', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['contacts:read', 'companies:read']);
  const { company_number } = await seedCompany(app);
  const stored = [
    '+49 30 1234567',
    '030 1234567',
    '(030) 12345-67',
    '+49 (0)30 1234567',
    '0049301234567',
    '+49301234567',
  ];
  for (const phone of stored) await seedEmployee(app, { company_number, phone });
  await seedEmployee(app, { company_number, phone: '+49 89 7654321' });
  const total = async (path: string) => (await send('GET', path)).body;
  for (const each of [...stored, '0301234567', '030/1234567', '+49.30.1234567', '00 49 30 1234567', '1234567']) {
    t.is((await total(`/contacts.php?search=${encodeURIComponent(each)}`)).pagination.total, stored.length, each);
    t.is((await total(`/search.php?q=${encodeURIComponent(each)}`)).data.total, stored.length, each);
  }
});

test('an asset is found by the MAC address of a port, including a changed one', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['assets:read', 'assets:write']);
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'SWITCH' });
  const ports = `/assets.php?action=ports&id=${asset_id}`;
  const made = await send('POST', ports, { port_name: 'eth0', mac_address: '02:11:22:33:44:55' });
  t.is(made.status, 201);
  const found = async (text: string) => (await send('GET', `/search.php?q=${text}`)).body.data.assets.length;
  for (const each of ['02:11:22:33:44:55', '0211.2233.4455', '021122334455']) t.is(await found(each), 1, each);
  await app.app.indexer.drain();
  for (const each of ['02:11:22:33:44:55', '021122334455']) t.is(await found(each), 1, each);
  t.is((await send('GET', '/assets.php?search=021122334455')).body.pagination.total, 1);
  const port_id = made.body.data.port_id;
  t.is((await send('PUT', `${ports}&port_id=${port_id}`, { mac_address: '02:11:22:33:44:66' })).status, 200);
  t.deepEqual([await found('021122334455'), await found('021122334466')], [0, 1]);
});

test('a name is found when written without spaces', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['contacts:read']);
  const { company_number } = await seedCompany(app);
  await seedEmployee(app, { company_number, last_name: '佐藤', first_name: '健' });
  await seedEmployee(app, { company_number, last_name: '김', first_name: '민준' });
  for (const each of ['佐藤健', '佐藤 健', '佐藤', '健', '김민준', '김 민준']) {
    t.is((await send('GET', `/contacts.php?search=${encodeURIComponent(each)}`)).body.pagination.total, 1, each);
    t.is((await send('GET', `/search.php?q=${encodeURIComponent(each)}`)).body.data.contacts.length, 1, each);
  }
});

test('invoices are found by number, and exact number matches rank above mentions', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'assets:read', 'billing:read', 'billing:write']);
  const { company_number } = await seedCompany(app);
  const line_items = [{ description: 'Cabling', quantity: 1, unit_price: 10 }];
  await send('POST', '/billing/invoices.php', { company_number, line_items });
  const { invoice_number } = (await send('POST', '/billing/invoices.php', { company_number, line_items })).body.data;
  for (const q of [invoice_number, invoice_number.toLowerCase(), invoice_number.replace('-', '')]) {
    const { data } = (await send('GET', `/search.php?q=${q}`)).body;
    t.deepEqual(
      data.invoices.map((each: any) => each.invoice_number),
      [invoice_number],
      q,
    );
  }
  const first = (await send('POST', '/tickets.php', { company_number, subject: 'Screen' })).body.data;
  for (let n = 0; n < 3; n++)
    await send('POST', '/tickets.php', { company_number, subject: `As in ${first.ticket_number}, once more ${n}` });
  await seedAsset(app, { company_number, machine_name: 'gateway', ip_address: '10.7.0.5' });
  await seedAsset(app, { company_number, machine_name: 'host', ip_address: '10.7.0.50' });
  for (const drained of [false, true]) {
    if (drained) await app.app.indexer.drain();
    const { data } = (await send('GET', `/search.php?q=${first.ticket_number}`)).body;
    t.is(data.tickets[0].ticket_id, first.ticket_id);
    t.is((await send('GET', '/search.php?q=10.7.0.5')).body.data.assets[0].machine_name, 'gateway');
  }
});

test('words joined by apostrophes or hyphens are found when written as one', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['contacts:read', 'tickets:read']);
  const { company_number } = await seedCompany(app);
  for (const last_name of ["O'Brien", 'O’Hara', 'OʼNeill', 'D`Arcy', 'O´Dea', 'Smith-Jones', 'OConnor'])
    await seedEmployee(app, { company_number, last_name });
  await seedTicket(app, {
    company_number,
    subject: 'Wi-Fi is slow',
    description: 'Access point ZZ-98-76-YX with 0a:1b:2c:3d:4e:5f, as in INV-000042',
  });
  for (const drained of [false, true]) {
    if (drained) await app.app.indexer.drain();
    const found = async (type: string, q: string) =>
      (await send('GET', `/search.php?q=${encodeURIComponent(q)}`)).body.data[type].length;
    for (const each of ['obrien', 'OBrien', "o'brien", 'O’Brien', 'ohara', "O'Hara", 'oneill', 'darcy', "d'arcy"])
      t.is(await found('contacts', each), 1, each);
    for (const each of ['odea', 'smithjones', 'smith-jones', "o'connor"]) t.is(await found('contacts', each), 1, each);
    for (const each of ['wifi', 'wi-fi', 'zz9876yx', '0A1B2C3D4E5F', '0a1b.2c3d.4e5f', 'inv42', 'INV000042'])
      t.is(await found('tickets', each), 1, each);
    t.is((await send('GET', '/contacts.php?search=obrien')).body.pagination.total, 1);
  }
});

test('documents are found by number, with and without leading zeros, ranked above others that contain it', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['billing:read', 'billing:write', 'contracts:read', 'tickets:read']);
  const { company_number } = await seedPayer(app);
  const line_items = [{ description: 'Cabling', quantity: 1, unit_price: 10 }];
  for (let n = 0; n < 30; n++) await seedInvoice(app, { company_number });
  const sent = (await send('POST', '/billing/invoices.php', { company_number, status: 'sent', line_items })).body.data;
  const note = { invoice_id: sent.invoice_id, reason: 'Agreed' };
  t.is((await send('POST', '/billing/credit-notes.php', note)).status, 201);
  for (let n = 0; n < 2; n++) await seedDraft(app, { company_number });
  const contract = { company_number, name: 'Support', contract_number: 'SLA/2026-0007', start_date: '2026-01-01' };
  await app.run((ctx) => createContract(ctx, contract));
  for (const drained of [false, true]) {
    if (drained) await app.app.indexer.drain();
    const first = async (type: string, member: string, q: string) =>
      (await send('GET', `/search.php?q=${encodeURIComponent(q)}`)).body.data[type]?.[0]?.[member];
    for (const each of ['INV2', 'inv-2', 'INV 2', 'INV-000002', 'inv000002', '#INV-2', 'inv-02'])
      t.is(await first('invoices', 'invoice_number', each), 'INV-000002', each);
    for (const each of ['PRO1', 'pro-1', 'PRO-000001', 'PRO000001'])
      t.is(await first('proposals', 'proposal_number', each), 'PRO-000001', each);
    for (const each of ['CN1', 'cn-1', 'CN-000001'])
      t.is(await first('credit_notes', 'credit_note_number', each), 'CN-000001', each);
    for (const each of ['SLA/2026-0007', 'sla20260007', 'sla/2026-7'])
      t.is(await first('contracts', 'contract_number', each), 'SLA/2026-0007', each);
    t.is((await send('GET', '/billing/proposals.php?search=PRO2')).body.pagination.total, 1);
  }
});
