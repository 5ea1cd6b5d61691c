// Generates one module per declared page, which passes the declaration and its field metadata to the kit.
import type { MadePage } from '@keelson/web-build';
import { operationsOf } from '../plugin/page/page-operations.ts';
import type { ActSpec, ListSpec, Part, RelatedSpec, SheetSpec } from '../plugin/page/part.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { Route } from '../plugin/route/route.ts';
import { answerFields, bodyFields, queryFields } from './fields.ts';

const slug = (path: string): string => path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '');

/** Returns the file name of a list page: `assets.list`. */
export const fileOfList = ({ path }: Pick<ListSpec<never>, 'path'>): string => `${slug(path)}.list`;

/** Returns the file name of a record page: `assets-id.sheet`. */
export const fileOfSheet = ({ path }: Pick<SheetSpec<never>, 'path'>): string => `${slug(path)}.sheet`;

type Find = (line: string) => Route;

/**
 * Returns the files of a part's lists and sheets. @throws Error for an unknown operation, which start-up reports first
 */
export function madePages(plugins: readonly Plugin[], part: Part): MadePage[] {
  const operations = operationsOf(plugins, part.kind);
  const find: Find = (line) => {
    const route = operations.get(line);
    if (!route) throw new Error(`Unknown operation ${line}`);
    return route;
  };
  return [
    ...part.lists.map((each) => ({ name: fileOfList(each), code: pageCode('listPage', listOf(each, find)) })),
    ...part.sheets.map((each) => ({ name: fileOfSheet(each), code: pageCode('recordPage', sheetOf(each, find)) })),
  ];
}

// JSON is valid JavaScript. JSON.parse would only be faster above 10 KB.
const pageCode = (make: 'listPage' | 'recordPage', declared: object): string =>
  `import { ${make} } from '@keelson/web/made';\nexport default ${make}(${JSON.stringify(declared)});\n`;

/** Already sent to the shell. JSON drops undefined members. */
const shellsOwn = { access: undefined, nav: undefined, companyTab: undefined };

function listOf({ create, acts = [], ...list }: ListSpec<unknown>, find: Find) {
  const route = find(list.list);
  return {
    ...list,
    ...shellsOwn,
    fields: answerFields(route),
    query: queryFields(route),
    create: create && actOf(create, find),
    acts: acts.map((each) => actOf(each, find)),
  };
}

function sheetOf({ change, remove, acts = [], related = [], ...sheet }: SheetSpec<unknown>, find: Find) {
  return {
    ...sheet,
    ...shellsOwn,
    fields: answerFields(find(sheet.read)),
    change: change && actOf(change, find),
    remove: remove && actOf(remove, find),
    acts: acts.map((each) => actOf(each, find)),
    related: related.map((each) => relatedOf(each, find)),
  };
}

function relatedOf({ create, ...related }: RelatedSpec<unknown>, find: Find) {
  return { ...related, fields: answerFields(find(related.list)), create: create && actOf(create, find) };
}

/** Adds the rule's name, so that the page hides actions the user cannot perform. */
function actOf({ access, ...act }: ActSpec<unknown>, find: Find) {
  return { ...act, access: access.title, body: bodyFields(find(act.operation)) };
}
