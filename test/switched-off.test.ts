// When a module is switched off for a company, its people see none of its records, not even through other modules.
import { changeModules, Company } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { fillDemo, type DemoParts } from '../modules/demo/demo.ts';
import { boundless } from './_boundless.ts';
import { plant } from './_canaries.ts';

const WORD = /canary[0-9a-z]{4}x[0-9a-z]{8}/g;

let app: TestApp;
let made: DemoParts;
test.before(async () => {
  app = await openApp({ limiter: boundless });
  made = await fillDemo(app.app);
});
test.after.always(() => app.close());

test.serial('no text of a disabled module is returned, directly or nested in other records', async (t) => {
  const [customer] = made.customers;
  if (!customer) throw new Error('The demo has no customer');
  const { company_number } = customer.company;
  const { places } = await plant(app, { companies: [company_number], tables: new Set(), rows: () => false });
  const { email, password } = customer.manager;
  const signedIn = await app.request('POST', '/helpdesk/api/v1/auth/login', { body: { username: email, password } });
  const token: string = signedIn.body.access_token;
  const moduleOf = new Map<string, string>();
  for (const { id, entities = [] } of app.app.plugins)
    for (const each of entities) moduleOf.set((each as { name?: string }).name ?? '', id);
  const switchTo = (id: string, on: boolean) =>
    app.run(async (ctx) => {
      const company = await ctx.db.findOneBy(Company, { company_number });
      if (company) await changeModules(ctx, company, { [id]: on });
    });

  const before = await wordsSeen(token);
  const hits = new Map<string, string>();
  const tried: string[] = [];
  for (const id of Object.keys(app.app.switches.defaults())) {
    const its = (word: string) => moduleOf.get(places.get(word)?.split('.')[0] ?? '') === id;
    // Only addresses that showed the module's words can show them without it.
    const showed = [...before].flatMap(([path, words]) => (words.some(its) ? path : []));
    if (showed.length === 0) continue;
    tried.push(id);
    await switchTo(id, false);
    for (const path of showed)
      for (const word of (await read(token, path)).words)
        if (its(word)) hits.set(`${id} at ${path}`, places.get(word) ?? '');
    await switchTo(id, true);
  }
  t.log(`${new Set([...before.values()].flat()).size} words seen; tried without ${tried.join(', ')}`);
  t.true(tried.length >= 6, tried.join());
  t.deepEqual([...hits], []);
});

/** Returns the words in the response of an address of the portal, and the rows if it is a list. */
async function read(token: string, path: string): Promise<{ words: string[]; rows: readonly object[] }> {
  const { status, text, body } = await app.request('GET', `/helpdesk/api/v1${path}`, { token });
  if (status >= 429) throw new Error(`${path} answered ${status}: ${text}`);
  return { words: text.match(WORD) ?? [], rows: Object.values(body ?? {}).find((each) => Array.isArray(each)) ?? [] };
}

/** Returns the words in the portal's responses by address. */
async function wordsSeen(token: string): Promise<Map<string, readonly string[]>> {
  const seen = new Map<string, readonly string[]>();
  const routes = app.app.plugins
    .flatMap((plugin) => plugin.routes ?? [])
    .filter(({ method, surface }) => method === 'get' && surface.id === 'helpdesk');
  const [single, lists] = [true, false].map((one) => routes.filter((each) => each.template.params.length > 0 === one));
  const idsAt = new Map<string, readonly unknown[]>();
  const ask = async (path: string): Promise<readonly object[]> => {
    const { words, rows } = await read(token, path);
    if (words.length > 0) seen.set(path, words);
    return rows;
  };
  for (const route of lists ?? []) {
    const search = route.path.includes('search') ? [`${route.path}?q=canary`, `${route.path}?query=canary`] : [];
    for (const path of [route.path, ...search]) {
      const rows = await ask(path);
      const base = route.path.split('?')[0] ?? '';
      if (rows.length > 0) idsAt.set(base, [...(idsAt.get(base) ?? []), ...rows.map((row) => Object.values(row)[0])]);
    }
  }
  for (const route of single ?? []) {
    const ids = idsAt.get(route.path.split('/{')[0] ?? '') ?? [];
    for (const id of ids.slice(0, 12)) await ask(route.path.replace(/\{[^}]+\}/, String(id)));
  }
  return seen;
}
