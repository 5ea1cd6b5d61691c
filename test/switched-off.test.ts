// When a module is switched off for a company, its people see none of its records, not even through other modules.
import { changeModules, Company } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import type { Route } from '../core/plugin/route/route.ts';
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
    if (![...before.keys()].some(its)) continue;
    tried.push(id);
    await switchTo(id, false);
    for (const [word, path] of await wordsSeen(token))
      if (its(word)) hits.set(`${id} at ${path}`, places.get(word) ?? '');
    await switchTo(id, true);
  }
  t.log(`${before.size} words seen; tried without ${tried.join(', ')}`);
  t.true(tried.length >= 6, tried.join());
  t.deepEqual([...hits], []);
});

/** Returns the words in the portal's responses, each with the first address that showed it. */
async function wordsSeen(token: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const routes = app.app.plugins
    .flatMap((plugin) => plugin.routes ?? [])
    .filter(({ method, surface }) => method === 'get' && surface.id === 'helpdesk');
  const [single, lists] = [true, false].map((one) => routes.filter((each) => each.template.params.length > 0 === one));
  const idsAt = new Map<string, readonly unknown[]>();
  const ask = async (route: Route, path: string): Promise<readonly object[]> => {
    const answer = await app.request('GET', `/helpdesk/api/v1${path}`, { token });
    if (answer.status >= 429) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    for (const word of answer.text.match(WORD) ?? []) if (!seen.has(word)) seen.set(word, route.name);
    return Object.values(answer.body ?? {}).find((each) => Array.isArray(each)) ?? [];
  };
  for (const route of lists ?? []) {
    const search = route.path.includes('search') ? [`${route.path}?q=canary`, `${route.path}?query=canary`] : [];
    for (const path of [route.path, ...search]) {
      const rows = await ask(route, path);
      const base = route.path.split('?')[0] ?? '';
      if (rows.length > 0) idsAt.set(base, [...(idsAt.get(base) ?? []), ...rows.map((row) => Object.values(row)[0])]);
    }
  }
  for (const route of single ?? []) {
    const ids = idsAt.get(route.path.split('/{')[0] ?? '') ?? [];
    for (const id of ids.slice(0, 12)) await ask(route, route.path.replace(/\{[^}]+\}/, String(id)));
  }
  return seen;
}
