// Search finds, counts and suggests nothing of another company: 300 unique words are planted in two companies, and all
// others search for every prefix. `SEARCH_LEAKS=all` searches for all words instead of some.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { numbers, pick } from '../../modules/demo/seed/seed-words.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { assetRights, seedAsset } from '../assets-seed.ts';
import { asCrm } from '../crm-seed.ts';
import { asEmployee, asKey, seedTeam, seedTicket } from '../tickets-seed.ts';

type Send = Awaited<ReturnType<typeof asKey>>;

let app: TestApp;
test.before(async () => {
  app = await openApp();
  // Lift the limit of sixty searches a minute.
  const { limiter } = app.app;
  const { take, takeEach } = limiter;
  let calls = 0;
  limiter.take = (bucket, limit) => take(`${bucket} ${calls++}`, limit);
  limiter.takeEach = (charges) => takeEach(charges.map((each) => ({ ...each, bucket: `${each.bucket} ${calls++}` })));
});
test.after.always(() => app.close());

const next = numbers(41);
const letters = Array.from('bcdfghjklmnprstvwyz') as [string, ...string[]];
const planted = { found: [] as string[], never: [] as string[] };

/** Returns a word with a unique prefix; `never` if no caller may find it. */
function canary(kind: keyof typeof planted = 'found'): string {
  const word = `qx${Array.from({ length: 5 }, () => pick(next, letters)).join('')}${planted.found.length + planted.never.length}`;
  planted[kind].push(word);
  return word;
}

async function plant(send: Send): Promise<void> {
  const { company_number } = await seedCompany(app, `${canary()} ${canary()}`);
  for (let i = 0; i < 20; i++) {
    const { ticket_id } = await seedTicket(app, { company_number, subject: canary(), description: canary() });
    if (i < 10) {
      const comment = { comment: canary('never'), is_internal: true };
      await send('POST', `/tickets.php?action=comments&id=${ticket_id}`, comment);
    }
    await seedEmployee(app, {
      company_number,
      first_name: canary(),
      last_name: canary(),
      email: `${canary()}@example.com`,
    });
    if (i < 12) {
      const { asset_id } = await seedAsset(app, { company_number, machine_name: canary() });
      const login = { label: 'Admin', username: canary('never'), password: canary('never') };
      await send('PUT', `/assets.php?id=${asset_id}`, { credentials: [login] });
    }
  }
  await send('POST', '/kb/articles.php', { title: canary(), content: canary(), visibility: 'internal' });
}

const rights = [
  'tickets:read',
  'tickets:write',
  'companies:read',
  'contacts:read',
  'kb:read',
  'kb:write',
  ...assetRights,
];

test.serial('nothing of other companies is found, counted or suggested', async (t) => {
  t.timeout(600_000);
  const all = await asKey(app, [...rights]);
  await plant(all);
  await plant(all);
  const { company_number, member, manager, itAdmin } = await seedTeam(app);
  await seedTicket(app, { company_number, subject: 'Own printer', description: 'Does not start' });
  const internal = { comment: canary('never'), is_internal: true };
  const { ticket_id } = await seedTicket(app, { company_number, employee_number: member.employee_number });
  await all('POST', `/tickets.php?action=comments&id=${ticket_id}`, internal);
  await seedAsset(app, { company_number, machine_name: 'Own machine' });
  t.true(planted.found.length + planted.never.length >= 250, `${planted.found.length + planted.never.length} words`);

  const [asMember, asManager, asAdmin] = [
    await asEmployee(app, member),
    await asEmployee(app, manager),
    await asEmployee(app, itAdmin),
  ];
  const crm = await asCrm(app);
  const few = await asKey(app, ['assets:read']);
  const asked: readonly (readonly [who: string, send: Send, path: string, which: readonly string[]])[] = [
    ...(['found', 'never'] as const).flatMap((kind) => [
      ['member', asMember, '/search?q=', planted[kind]] as const,
      ['manager', asManager, '/search?q=', planted[kind]] as const,
      ['IT admin', asAdmin, '/search?q=', planted[kind]] as const,
      ['IT admin', asAdmin, '/tickets/search?q=', planted[kind]] as const,
      ['IT admin', asAdmin, '/employees?search=', planted[kind]] as const,
      ['IT admin', asAdmin, '/assets?q=', planted[kind]] as const,
      ['IT admin', asAdmin, '/kb/articles?search=', planted[kind]] as const,
      ['CRM key', crm, '/search?q=', planted[kind]] as const,
    ]),
    ['technician', all, '/search.php?q=', planted.never],
    ['technician', all, '/tickets.php?search=', planted.never],
    ['technician', all, '/assets.php?search=', planted.never],
  ];
  const every = process.env['SEARCH_LEAKS'] === 'all' ? 1 : 80;
  for (const drained of [false, true]) {
    if (drained) await app.app.indexer.drain();
    for (const [who, send, path, words] of asked) {
      const some = words.filter((_, i) => i % (drained ? every : every * 3) === 0);
      // All words share a prefix, so a short one matches them all at once.
      const texts = new Set(some.flatMap((word) => [...beginnings(word), word.slice(1), misspelt(word)]));
      for (const text of texts) {
        if (path.startsWith('/search?q=') && send === crm && text.length < 2) continue;
        const { status, text: answer } = await send('GET', path + text);
        const where = `${who} ${path}${text}`;
        t.is(status, 200, where);
        const known = path.includes('.php') && planted.found.some((each) => each.includes(text));
        if (!known) t.is(totalOf(JSON.parse(answer)), 0, where);
        const leaked = [...planted.never, ...(path.includes('.php') ? [] : planted.found)];
        t.false(
          leaked.some((each) => answer.includes(each)),
          where,
        );
      }
    }
  }

  // Authorised callers must find them; otherwise the test proves nothing.
  const [word = ''] = planted.found.slice(2);
  t.is((await all('GET', `/search.php?q=${word}`)).body.data.total, 1);
  t.deepEqual((await all('GET', `/search.php?q=${misspelt(word)}`)).body.data.suggestions, [word]);
  t.is((await few('GET', `/search.php?q=${misspelt(word)}&types=assets`)).body.data.suggestions, undefined);
});

test.serial('a misspelt word suggests similar ones visible to the caller', async (t) => {
  const { member, stranger, company_number } = await seedTeam(app);
  const { employee_number } = member;
  await seedTicket(app, { company_number, employee_number, subject: 'Kaleidoscope flickers', description: 'Often' });
  await seedTicket(app, { company_number, subject: 'Kaleidoskop', description: 'Of somebody else' });
  await app.app.indexer.drain();
  const [own, other] = [await asEmployee(app, member), await asEmployee(app, stranger)];
  const found = async (send: Send, q: string) => (await send('GET', `/search?q=${encodeURIComponent(q)}`)).body;
  for (const [q, suggestions] of [
    ['kaliedoscope', ['kaleidoscope']],
    ['kaleidoscop kaleidoscpe', ['kaleidoscope']],
    ['flickrs', ['flickers']],
    ['ofte', undefined],
    ['oftan', ['often']],
    ['ofn', undefined],
    ['xylophone', undefined],
    ['kaleidoscope xylophone', undefined],
  ] as const) {
    const body = await found(own, q);
    t.deepEqual([body.total, body.suggestions], [q === 'ofte' ? 1 : 0, suggestions], q);
    t.is((await found(other, q)).suggestions, undefined, q);
  }
  t.true((await app.fewestStatements(() => own('GET', '/search?q=kaliedoscope'))) <= 8);
});

function beginnings(word: string): string[] {
  return Array.from(word, (_, i) => word.slice(0, i + 1));
}

/** Replaces one letter. */
function misspelt(word: string): string {
  return `${word.slice(0, 4)}q${word.slice(5)}`;
}

function totalOf(body: { data?: any; total?: number; pagination?: { total: number } }): number | undefined {
  return body.pagination?.total ?? body.data?.total ?? body.total;
}
