// Checks that the operations and fields named in page declarations exist.
import { queryShape } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import type { Route } from '../route/route.ts';
import type { ActSpec, ListSpec, NavCount, Part, RelatedSpec, SheetSpec } from './part.ts';

type Operations = ReadonlyMap<string, Route>;

/** Returns the faults in a part's lists, sheets, columns, records and navigation counts. */
export function madePageFaults(part: Part, operations: Operations): string[] {
  const known = (about: string, line: string | undefined): string[] =>
    line === undefined || operations.has(line) ? [] : [`${about}: unknown operation ${line}`];
  return [
    ...[...part.pages, ...part.lists].flatMap(({ path, nav }) =>
      nav?.count ? countFaults(nav.count, operations).map((fault) => `page ${path}: ${fault}`) : [],
    ),
    ...part.lists.flatMap((each) => listFaults(each, operations).map((fault) => `page ${each.path}: ${fault}`)),
    ...part.sheets.flatMap((each) => sheetFaults(each, operations).map((fault) => `page ${each.path}: ${fault}`)),
    ...part.columns.flatMap(({ title, list, values }) => [
      ...known(`column ${title}`, list),
      ...known(`column ${title}`, values),
      ...unknown(
        'parameter',
        ['ids'],
        operations.has(values) ? membersOf(queryShape(operations.get(values)?.query)) : undefined,
      ).map((fault) => `column ${title}: ${fault}`),
    ]),
    ...linkFaults(part),
    ...part.records.flatMap(({ type, read, find }) => [
      ...known(`record ${type}`, read),
      ...known(`record ${type}`, find),
    ]),
  ];
}

/** Counts are requested without arguments. */
function countFaults({ operation, member }: NavCount, operations: Operations): string[] {
  if (operation.includes('{')) return [`the count’s operation ${operation} has parameters`];
  return rowFaults(operation, operations.get(operation), [member]);
}

/** A list may only link to pages of the same plugin. */
function linkFaults({ lists, pages }: Part): string[] {
  const paths = new Set(pages.map(({ path }) => path));
  return lists.flatMap(({ path, links = [], createPage }) =>
    [...links, ...(createPage ? [createPage] : [])]
      .filter((each) => !paths.has(each.path))
      .map((each) => `page ${path}: unknown page ${each.path}`),
  );
}

function listFaults(spec: ListSpec<unknown>, operations: Operations): string[] {
  const route = operations.get(spec.list);
  return [
    ...rowFaults(spec.list, route, [spec.id, ...spec.columns]),
    ...unknown(
      'filter',
      [
        ...(spec.filters ?? []),
        ...Object.keys(spec.given ?? {}),
        ...(spec.companyTab === undefined ? [] : ['company_number']),
      ],
      route && membersOf(queryShape(route.query)),
    ),
    ...[spec.create, ...(spec.acts ?? [])].flatMap((each) => (each ? actFaults(each, operations) : [])),
  ];
}

function sheetFaults(spec: SheetSpec<unknown>, operations: Operations): string[] {
  const { read, heading, facts, texts = [], parts = [], change, remove, acts = [], related = [] } = spec;
  const route = operations.get(read);
  const own = route && membersOf(route.returns.shape);
  return [
    ...rowFaults(read, route, [...heading.split(' '), ...facts, ...texts, ...parts.map(({ field }) => field)]),
    ...parts.flatMap(({ field, columns, id }) =>
      unknown(`field of a row of ${field}`, [...columns, ...(id ? [id] : [])], rowMembers(route?.returns.shape, field)),
    ),
    ...[change, remove, ...acts].flatMap((each) => (each ? actFaults(each, operations) : [])),
    ...unknown(
      `field of ${read}`,
      acts.flatMap((each) => Object.keys(each.when ?? {})),
      own,
    ),
    ...related.flatMap((each) => relatedFaults(each, own, operations)),
  ];
}

function relatedFaults(
  spec: RelatedSpec<unknown>,
  own: ReadonlySet<string> | undefined,
  operations: Operations,
): string[] {
  const { list, columns, id, create, given = {} } = spec;
  const route = operations.get(list);
  const inLine = new Set(route?.template.params.map(({ name }) => name));
  const known = [...Object.keys(spec.with), ...Object.keys(given)];
  const asked = known.filter((each) => !inLine.has(each));
  return [
    ...rowFaults(list, route, [...columns, ...(id === undefined ? [] : [id])]),
    ...unknown('parameter', asked, route && membersOf(queryShape(route.query))),
    ...unknown(
      'field',
      Object.values(spec.with).flatMap((each) => each ?? []),
      own,
    ),
    ...(create ? actFaults(create, operations, known) : []),
  ];
}

/** @param given fields that have a value without being asked for */
function actFaults(
  { operation, fields }: ActSpec<unknown>,
  operations: Operations,
  given: readonly string[] = [],
): string[] {
  const route = operations.get(operation);
  if (!route) return [`unknown operation ${operation}`];
  if (!fields) return [];
  const missing = requiredOf(route.body).filter((each) => !fields.includes(each) && !given.includes(each));
  return [
    ...unknown(`field of ${operation}`, fields, membersOf(route.body)),
    ...missing.map((each) => `${operation} requires the field ${each}, which the form does not have`),
  ];
}

const requiredOf = (body: Route['body']): string[] =>
  body instanceof z.ZodObject
    ? Object.entries(body.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, each]) =>
        each.safeParse(undefined).success ? [] : name,
      )
    : [];

function rowFaults(line: string, route: Route | undefined, names: readonly string[]): string[] {
  return route ? unknown(`field of ${line}`, names, membersOf(route.returns.shape)) : [`unknown operation ${line}`];
}

function unknown(what: string, names: readonly string[], members: ReadonlySet<string> | undefined): string[] {
  return members ? names.filter((each) => !members.has(each)).map((each) => `unknown ${what}: ${each}`) : [];
}

/** The members of the rows in a record's list. */
function rowMembers(shape: unknown, field: string): ReadonlySet<string> | undefined {
  const list = shape instanceof z.ZodObject ? plain(shape.shape[field]) : undefined;
  return list instanceof z.ZodArray ? membersOf(list.element) : undefined;
}

const plain = (shape: unknown): unknown =>
  shape instanceof z.ZodOptional || shape instanceof z.ZodNullable ? plain(shape.unwrap()) : shape;

/** The members of an object, or of all objects in a union. Undefined if they are open-ended. */
function membersOf(shape: unknown): ReadonlySet<string> | undefined {
  if (shape === undefined) return new Set();
  if (shape instanceof z.ZodObject) return new Set(Object.keys(shape.shape));
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) return membersOf(shape.unwrap());
  if (!(shape instanceof z.ZodUnion)) return undefined;
  const options = shape.options.map(membersOf);
  return options.reduce((all, each) => all && each && all.union(each), new Set());
}
