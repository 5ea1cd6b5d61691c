// Times route lookup repeatedly: each declared route among all routes, and alone.
import { choose } from '../core/http/routing/php-actions.ts';
import { compileRoutes, type Interfaces } from '../core/http/routing/routes.ts';
import { loadInstallation } from '../core/plugin/load/load.ts';
import { definePlugin, type Plugin } from '../core/plugin/plugin.ts';
import type { Route } from '../core/plugin/route/route.ts';

const ROUNDS = 5;
const TURNS = 20_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const { loaded } = await loadInstallation('plugins');
const plugins = loaded.map(({ plugin }) => plugin);
const routes = plugins.flatMap((plugin) => plugin.routes ?? []);
const all = compileRoutes(plugins);
const alone = routes.map((route) => ({ asked: askedFor(route), interfaces: compileRoutes([only(route)]) }));

const among = (): number => timed((i) => find(all, alone[i % alone.length]?.asked));
const one = (): number => timed((i) => find(alone[i % alone.length]?.interfaces, alone[i % alone.length]?.asked));
among();
one();
const found = { one: [] as number[], all: [] as number[] };
for (let i = 0; i < ROUNDS; i++) {
  found.one.push(one());
  found.all.push(among());
}
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)];
process.stdout.write(JSON.stringify({ routes: routes.length, one: middle(found.one), all: middle(found.all) }));

function only(route: Route): Plugin {
  return definePlugin({ id: 'one', title: 'One', routes: [route] });
}

/** Returns microseconds per call. */
function timed(work: (i: number) => unknown): number {
  const started = performance.now();
  for (let i = 0; i < TURNS; i++) work(i);
  return ((performance.now() - started) * 1000) / TURNS;
}

function find(interfaces: Interfaces | undefined, asked: Asked | undefined): Route | undefined {
  if (!interfaces || !asked) return undefined;
  const path = interfaces.find(asked.path);
  if (!path) throw new Error(`${asked.path} was not found`);
  return choose(path, asked.method, asked.query);
}

function askedFor(route: Route): Asked {
  const { segments, select, params } = route.template;
  const path = `${route.surface.prefix}/${segments.map((each) => each ?? '17').join('/')}`;
  const values = params.flatMap((each) => (each.from === 'query' ? [[each.key, '17'] as const] : []));
  return { method: route.method, path, query: new Map([...Object.entries(select), ...values]) };
}
