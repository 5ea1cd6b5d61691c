// Checks the object that a plugin file exports, because plain JavaScript has no type checker.
import { Table } from '@keelson/database/schema/table.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { closest, distance } from 'fastest-levenshtein';
import { EntitySchema } from 'typeorm';
import { z } from 'zod';
import { middlewarePlaces } from '../declaration/middleware.ts';
import type { Surface } from '../route/surface.ts';

/** Describes the object's first fault in one sentence, or undefined if it is a valid plugin (plugin.ts). */
export const shapeFault = memoize((plugin: object): string | undefined => {
  const unknown = Object.keys(plugin).find((each) => !(Object.hasOwn(Shape.shape, each) || more.has(each)));
  if (unknown !== undefined) return unknownKey(unknown);
  const { error } = Shape.safeParse(plugin);
  const [issue] = error?.issues ?? [];
  return issue && `${issue.path.join('.') || 'it'} is invalid for definePlugin(): ${issue.message}`;
});

const work = z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function');
const schema = z.custom((value) => value instanceof z.ZodType, 'must be a schema made with z from @keelson/core');
const surface = z.custom<Surface<unknown>>(isSurface, 'must be a surface');
const entity = z
  .instanceof(EntitySchema, { error: 'must be made with table()' })
  .refine(({ options }) => typeof options?.name === 'string', { error: 'must have a name' });
const name = z.string().min(1);
const path = z.string().regex(/^\/[\w/:.-]*$/, 'must be a path below the interface, such as /warranty');
const listOf = <S extends z.ZodRawShape>(fields: S) => z.array(z.looseObject(fields)).optional();

const Shape = z.looseObject({
  id: name,
  title: name,
  version: z.string().optional(),
  requires: z.array(z.string()).optional(),
  description: z.string().optional(),
  perCompany: z.object({ default: z.boolean() }).optional(),
  entities: z.array(entity).optional(),
  counters: z.array(z.unknown()).optional(),
  counted: listOf({ of: z.instanceof(Table), dimensions: z.array(name) }),
  search: listOf({ table: z.instanceof(Table), options: z.looseObject({ title: work }) }),
  dependents: listOf({ table: z.instanceof(Table), column: name, words: name }),
  attachments: listOf({ of: z.instanceof(Table), noun: name, call: work, routes: z.array(z.unknown()) }),
  fills: listOf({ slot: z.looseObject({ name, shape: schema }), read: work }),
  hooks: listOf({ hook: z.looseObject({ name }), run: work }),
  migrations: listOf({ name, up: work }),
  permissions: listOf({ name, controls: name, surface: name, allows: work }),
  events: listOf({ name, shape: schema }),
  routes: listOf({ surface, method: name, path: name, template: z.looseObject({ segments: z.array(z.unknown()) }) }),
  middleware: listOf({ at: z.enum(middlewarePlaces), use: work }),
  subscribers: listOf({ name, event: z.looseObject({ name }), handle: work }),
  receivers: z.looseObject({ prefix: name, targets: work, find: work }).optional(),
  jobs: listOf({ name, cron: name, title: name, run: work }),
  settings: listOf({ name, shape: schema }),
  dropdowns: listOf({ name, title: name, setting: z.looseObject({ name, shape: schema }), given: schema }),
  mailTemplates: listOf({ key: name, name, subject: name, body: name, variables: z.array(name) }),
  answerSources: listOf({ name, forEverybody: work }),
  workflowActions: listOf({
    name,
    title: name,
    access: z.looseObject({ allows: work }),
    input: z.instanceof(z.ZodObject),
    run: work,
  }),
  workflowFields: listOf({ name, needs: z.array(name), shape: z.instanceof(z.ZodObject), read: work }),
  imports: listOf({ name, title: name, of: z.looseObject({ table: z.instanceof(Table) }) }),
  reports: listOf({ surface: z.enum(['admin', 'helpdesk']), name, title: name, fields: z.instanceof(Map) }),
  console: part('console'),
  portal: part('portal'),
  identities: listOf({ surface, recognise: work }),
  commands: listOf({ name, title: name, options: z.array(z.unknown()), run: work }),
  language: work.optional(),
  mailBrand: work.optional(),
  mailServer: work.optional(),
  mailSender: work.optional(),
  mailStop: work.optional(),
  start: work.optional(),
  stop: work.optional(),
  drain: work.optional(),
  greeting: work.optional(),
});

// part-faults.ts checks the contents.
function part(kind: 'console' | 'portal') {
  const said = `must be made with ${kind}Part()`;
  const piece = z.looseObject({ title: name, access: z.looseObject({ title: name, allows: work }) });
  const file = piece.extend({ file: name });
  const page = piece.extend({ path });
  return z
    .looseObject(
      {
        kind: z.literal(kind, said),
        folder: name,
        pages: z.array(page.extend({ file: name })),
        panels: z.array(file.extend({ slot: name })),
        columns: z.array(file.extend({ list: name, values: name, sort: name.optional() })),
        commands: z.array(file.extend({ id: name, on: name })),
        records: z.array(piece.extend({ path, type: name, icon: name, read: name, name, id: name })),
        lists: z.array(page.extend({ list: name, id: name, columns: z.array(name) })),
        sheets: z.array(page.extend({ read: name, heading: name, facts: z.array(name) })),
      },
      said,
    )
    .optional();
}

// Routes created by a surface's functions, such as `admin.get`, always carry a real surface.
function isSurface(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prefix' in value && 'holds' in value && Object.isFrozen(value);
}

/** Members checked elsewhere. */
const more: ReadonlySet<string> = new Set(['live', 'console', 'portal']);
const MOST_DISTANCE = 3;

function unknownKey(key: string): string {
  const meant = closest(key, [...Object.keys(Shape.shape), ...more]);
  const hint = distance(key, meant) <= MOST_DISTANCE ? `: did you mean ${meant}?` : '';
  return `${key} is not a property of definePlugin()${hint}`;
}
