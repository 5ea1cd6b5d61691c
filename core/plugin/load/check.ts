// Validates all plugins at start-up. Reports every fault at once, each with its plugin and the item at fault.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invalidCron } from '@keelson/events/job/scheduler.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { compileSerialiser } from '@keelson/kit/serialise.ts';
import { templateFaults } from '@keelson/mail/mail-words.ts';
import { partFaults } from '../page/part-faults.ts';
import type { Plugin } from '../plugin.ts';
import { answerShape } from '../route/answer-shape.ts';
import { plainPath } from '../route/path-template.ts';
import type { Route } from '../route/route.ts';
import type { Fault, Loaded } from './loaded.ts';
import { entityFaults, tableNames } from './plugin-entities.ts';
import { shapeFault } from './plugin-shape.ts';

export interface CheckOptions {
  /**
   * Skips checks of modules that the compiler and `node cli.js check` already cover. Only third-party shapes and pages
   * are validated, which makes start-up about 200 ms faster.
   */
  readonly modulesChecked?: boolean;
  /** Plugins that have been left out already. */
  readonly leftOut?: readonly Fault[];
}

/** Returns every fault of the plugins, in plugin order. Empty if they can start. */
export function faultsOf(
  loaded: readonly Loaded[],
  { modulesChecked = false, leftOut = [] }: CheckOptions = {},
): Fault[] {
  const isChecked: IsChecked = ({ source }) => modulesChecked && source === 'module';
  const faultIn = (each: Loaded) => (isChecked(each) ? undefined : shapeFault(each.plugin));
  const malformed = loaded.flatMap((each) => {
    const message = faultIn(each);
    return message === undefined ? [] : [{ plugin: String(each.plugin.id), message }];
  });
  const formed = loaded.filter((each) => faultIn(each) === undefined);
  const missing = new Set([...leftOut, ...malformed].map(({ plugin }) => plugin));
  return [...malformed, ...faultsOfFormed(formed, isChecked, missing)];
}

type IsChecked = (loaded: Loaded) => boolean;

/** @param missing the plugins that are left out */
function faultsOfFormed(loaded: readonly Loaded[], isChecked: IsChecked, missing: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  const taken = new Map<string, string>();
  for (const each of loaded) {
    const { plugin, source } = each;
    const fault = (message: string) => faults.push({ plugin: plugin.id, message });
    const claim = (what: string, name: string, key = name) => {
      const owner = taken.get(`${what} ${key}`);
      if (owner !== undefined) fault(`${what} ${name} is already taken by ${owner}`);
      else taken.set(`${what} ${key}`, plugin.id);
    };
    claim('plugin id', plugin.id);
    if (plugin.language) claim('language', 'of people');
    if (plugin.mailBrand) claim('mail brand', 'of the installation');
    if (plugin.mailServer) claim('mail server', 'of the installation');
    if (plugin.mailSender) claim('mail sender', 'of the installation');
    if (!/^[a-z][a-z0-9]{0,30}$/.test(plugin.id)) fault(`the id ${plugin.id} must be lower-case letters and digits`);
    for (const each of tableNames(plugin)) claim('table', each);
    for (const each of plugin.events ?? []) claim('event', each.name);
    for (const each of plugin.permissions ?? []) claim('permission', `${each.surface} ${each.name}`);
    for (const each of plugin.jobs ?? []) claim('job', each.name);
    for (const each of plugin.subscribers ?? []) claim('subscriber', each.name);
    if (plugin.receivers) claim('prefix of receivers', plugin.receivers.prefix);
    for (const each of plugin.fills ?? []) claim('slot', each.slot.name);
    for (const each of plugin.settings ?? []) claim('setting', each.name);
    for (const each of plugin.answerSources ?? []) claim('answer source', each.name);
    for (const each of plugin.workflowActions ?? []) claim('workflow action', each.name);
    for (const { name, shape } of plugin.workflowFields ?? []) {
      claim('workflow fields', name);
      for (const field of Object.keys(shape.shape)) claim('workflow field', field);
    }
    for (const each of plugin.reports ?? []) claim('report source', `${each.surface} ${each.name}`);
    for (const { table, types } of plugin.search ?? [])
      for (const each of [table.name, ...types]) claim('search of', each);
    for (const each of plugin.dropdowns ?? []) claim('dropdown', each.name);
    for (const each of plugin.mailTemplates ?? []) claim('mail template', each.key);
    for (const each of plugin.migrations ?? []) claim('migration', each.name);
    // Parameter names do not affect which requests a path matches.
    for (const each of plugin.routes ?? []) {
      claim('route', routeName(each), routeName(each).replaceAll(/\{[^}]*\}/g, '{}'));
    }
    for (const message of requirementFaults(plugin, loaded, missing)) fault(message);
    for (const message of commandFaults(each)) fault(message);
    for (const message of jobFaults(plugin)) fault(message);
    for (const route of plugin.routes ?? []) for (const message of routeFaults(route, plugin)) fault(message);
    if (!isChecked(each)) for (const message of contentFaults(plugin)) fault(message);
    if (source === 'plugin')
      for (const message of [...prefixFaults(plugin), ...entityFaults(plugin, loaded)]) fault(message);
  }
  return [
    ...faults,
    ...undeclared(loaded),
    ...mixedPaths(loaded.map(({ plugin }) => plugin)),
    ...partFaults(loaded, isChecked),
  ];
}

/** Returns the plugins sorted so that each follows those it requires. */
export function inOrder(loaded: readonly Loaded[]): Loaded[] {
  const placed = new Map<string, Loaded>();
  const place = (each: Loaded): void => {
    if (placed.has(each.plugin.id)) return;
    for (const id of each.plugin.requires ?? []) {
      const needed = loaded.find((other) => other.plugin.id === id);
      if (needed) place(needed);
    }
    placed.set(each.plugin.id, each);
  };
  loaded.forEach(place);
  return [...placed.values()];
}

const jobFaults = memoize((plugin: Plugin): readonly string[] =>
  (plugin.jobs ?? []).flatMap((job) => {
    const problem = invalidCron(job.cron);
    return problem ? [`job ${job.name}: ${problem}`] : [];
  }),
);

/** The command line reads commands.ts alone. */
function commandFaults({ plugin: { commands = [] }, file }: Loaded): string[] {
  if (commands.length === 0 || file === undefined) return [];
  const isThere = ['commands.ts', 'commands.js'].some((name) => existsSync(join(dirname(file), name)));
  return isThere ? [] : [`the command ${commands[0]?.name} must be in a commands.ts beside ${file}`];
}

/** Webhook data is serialised like a response, so its shape must be serialisable. */
function eventFaults(plugin: Plugin): string[] {
  return (plugin.events ?? []).flatMap(({ name, shape, webhook }) => {
    if (webhook === undefined) return [];
    const problem = failure(() => compileSerialiser(shape));
    return problem === undefined ? [] : [`event ${name}: ${problem}`];
  });
}

// Plain-JavaScript plugins have no type checker, so check again what TypeScript would guarantee.
function routeFaults(route: Route, { requires = [] }: Plugin): string[] {
  const name = routeName(route);
  const faults: string[] = [];
  if (!route.title) faults.push(`route ${name} has no title`);
  if (typeof route.access?.allows !== 'function') faults.push(`route ${name} has no access rule`);
  if (!route.returns?.kind) faults.push(`route ${name} does not declare what it returns`);
  if (typeof route.handle !== 'function') faults.push(`route ${name} has no handler`);
  if (route.returns?.kind === 'list' && !route.query) faults.push(`route ${name} is a list without page parameters`);
  if (route.module !== undefined && !requires.includes(route.module))
    faults.push(`route ${name} depends on the module ${route.module}, which the plugin does not require`);
  return faults;
}

/** Faults inside routes, events and templates, as opposed to faults in how they are declared. */
function contentFaults(plugin: Plugin): string[] {
  const routes = (plugin.routes ?? []).flatMap((route) => {
    const problem = route.returns?.kind ? shapeProblem(route) : undefined;
    return problem === undefined ? [] : [`route ${routeName(route)}: ${problem}`];
  });
  return [...eventFaults(plugin), ...(plugin.mailTemplates ?? []).flatMap(templateFaults), ...routes];
}

function shapeProblem(route: Route): string | undefined {
  return failure(() => {
    answerShape(route);
    if (route.returns.shape) compileSerialiser(route.returns.shape);
  });
}

function failure(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A third-party plugin's tables, jobs, subscribers and events must start with its id to prevent clashes. */
function prefixFaults(plugin: Plugin): string[] {
  const dotted = [
    ...(plugin.events ?? []).map((each) => ['event', each.name] as const),
    ...(plugin.jobs ?? []).map((each) => ['job', each.name] as const),
    ...(plugin.subscribers ?? []).map((each) => ['subscriber', each.name] as const),
    ...(plugin.receivers ? [['prefix of receivers', plugin.receivers.prefix] as const] : []),
    ...(plugin.settings ?? []).map((each) => ['setting', each.name] as const),
    ...(plugin.answerSources ?? []).map((each) => ['answer source', each.name] as const),
    ...(plugin.workflowActions ?? []).map((each) => ['workflow action', each.name] as const),
    ...(plugin.workflowFields ?? []).map((each) => ['workflow fields', each.name] as const),
  ].filter(([, name]) => !name.startsWith(`${plugin.id}.`));
  const tables = tableNames(plugin).filter((each) => !each.startsWith(`${plugin.id}_`));
  const dropdowns = (plugin.dropdowns ?? []).filter((each) => !each.name.startsWith(`${plugin.id}_`));
  const reports = (plugin.reports ?? []).filter((each) => !each.name.startsWith(`${plugin.id}_`));
  const fields = (plugin.workflowFields ?? [])
    .flatMap(({ shape }) => Object.keys(shape.shape))
    .filter((each) => !each.startsWith(`${plugin.id}_`));
  const mails = (plugin.mailTemplates ?? []).filter((each) => !each.key.startsWith(`${plugin.id}_`));
  const permissions = (plugin.permissions ?? []).filter((each) => !each.name.startsWith(`${plugin.id}:`));
  const routes = (plugin.routes ?? []).filter(
    (each) => each.template.segments[0] !== plugin.id && each.template.segments[0] !== `${plugin.id}.php`,
  );
  const migrations = (plugin.migrations ?? []).filter((each) => !each.name.slice(14).startsWith(plugin.id));
  return [
    ...migrations.map((each) => `migration ${each.name} must be named <milliseconds>-${plugin.id}-<words>`),
    ...tables.map((each) => `table ${each} must start with ${plugin.id}_`),
    ...dropdowns.map((each) => `dropdown ${each.name} must start with ${plugin.id}_`),
    ...reports.map((each) => `report source ${each.name} must start with ${plugin.id}_`),
    ...fields.map((each) => `workflow field ${each} must start with ${plugin.id}_`),
    ...mails.map((each) => `mail template ${each.key} must start with ${plugin.id}_`),
    ...permissions.map((each) => `permission ${each.name} must start with ${plugin.id}:`),
    ...routes.map((each) => `route ${routeName(each)} must start with /${plugin.id}`),
    ...dotted.map(([what, name]) => `${what} ${name} must start with ${plugin.id}.`),
  ];
}

/** Finds routes that require a permission no plugin declares. */
function undeclared(loaded: readonly Loaded[]): Fault[] {
  const declared = new Set(
    loaded.flatMap(({ plugin }) => (plugin.permissions ?? []).map((each) => `${each.surface} ${each.name}`)),
  );
  return loaded.flatMap(({ plugin }) =>
    (plugin.routes ?? []).flatMap((route) => {
      const name = route.access && 'name' in route.access ? String(route.access.name) : undefined;
      if (name === undefined || declared.has(`${route.surface.id} ${name}`)) return [];
      return [{ plugin: plugin.id, message: `route ${routeName(route)} requires ${name}, which no plugin declares` }];
    }),
  );
}

// Composed here rather than read from the route: a plain-JavaScript plugin may have built the object by hand.
function routeName(route: Route): string {
  return `${route.surface.id} ${route.method.toUpperCase()} ${plainPath(route.path)}`;
}

/** Reports paths shared by programs and other callers: the path alone decides how a caller is identified. */
function mixedPaths(plugins: readonly Plugin[]): { plugin: string; message: string }[] {
  const programs = new Map<string, string | undefined>();
  return plugins.flatMap(({ id, routes = [] }) =>
    routes.flatMap(({ surface, template, access, method }) => {
      const path = `${surface.id} /${template.segments.map((each) => each ?? '{}').join('/')}`;
      if (!programs.has(path)) programs.set(path, access?.program);
      if (programs.get(path) === access?.program) return [];
      return [{ plugin: id, message: `route ${method} ${path} shares its path with routes for other callers` }];
    }),
  );
}

// Checks that required plugins run and that no plugin requires itself.

/** Returns the faults in a plugin's requirements. */
function requirementFaults(plugin: Plugin, loaded: readonly Loaded[], leftOut: ReadonlySet<string>): string[] {
  const byId = new Map(loaded.map((each) => [each.plugin.id, each.plugin]));
  const unmet = (plugin.requires ?? [])
    .filter((id) => !byId.has(id))
    .map((id) => `requires ${id}, which ${leftOut.has(id) ? 'is left out' : 'does not exist'}`);
  const reaches = (id: string, seen: ReadonlySet<string>): boolean =>
    (byId.get(id)?.requires ?? []).some(
      (next) => next === plugin.id || (!seen.has(next) && reaches(next, new Set([...seen, next]))),
    );
  return reaches(plugin.id, new Set()) ? [...unmet, 'requires itself through other plugins'] : unmet;
}
