// Generates types of every operation for browser code, from the same OpenAPI documents other clients read.
import { describeSurface, type Described } from '../core/http/openapi/openapi.ts';
import type { Loaded } from '../core/plugin/load/loaded.ts';
import { pathForm, plainPath } from '../core/plugin/route/path-template.ts';
import type { Route } from '../core/plugin/route/route.ts';
import type { Surface } from '../core/plugin/route/surface.ts';
import { adminSurface } from '../core/surfaces/admin.ts';
import { crmSurface } from '../core/surfaces/crm.ts';
import { helpdeskSurface } from '../core/surfaces/helpdesk.ts';

interface Interface {
  readonly surface: Surface<any>;
  readonly name: string;
  /** Prefix of its record names. */
  readonly records: string;
  /** Prefix of its operation names, where a page calls two surfaces. */
  readonly lines: string;
}

const interfaces: readonly Interface[] = [
  { surface: adminSurface, name: 'AdminOperations', records: '', lines: '' },
  { surface: crmSurface, name: 'CrmOperations', records: 'Crm', lines: 'crm:' },
  { surface: helpdeskSurface, name: 'HelpdeskOperations', records: 'Portal', lines: '' },
];

/** Returns the text of `web/api.d.ts`: one entry per operation, named by method and path. */
export function operationTypes(loaded: readonly Loaded[]): string {
  const plugins = loaded.map(({ plugin }) => plugin);
  const owners = new Map(plugins.flatMap((plugin) => (plugin.routes ?? []).map((route) => [route, plugin] as const)));
  const described: Described = {
    plugins,
    config: { tenantName: 'Keelson', tenantSlug: 'keelson', cookiePrefix: '', baseUrl: '' },
    ownerOf(route) {
      const owner = owners.get(route);
      if (!owner) throw new Error(`Route ${route.name} belongs to no plugin`);
      return owner;
    },
  };
  const parts = interfaces.map((each) => interfaceText(described, each));
  return [
    '// Made by npm run types from the declared routes.',
    ...parts,
    'export type Operations = AdminOperations & CrmOperations & HelpdeskOperations;',
    '',
  ].join('\n');
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
type Contents = Readonly<Record<string, { readonly schema: JsonSchema }>>;
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

function interfaceText(described: Described, { surface, name, records, lines }: Interface): string {
  const document = JSON.parse(JSON.stringify(describeSurface(described, surface))) as Document;
  const shapes = Object.entries(document.components?.schemas ?? {}).map(
    ([each, schema]) => `export type ${records}${each} = ${typeText(schema, records)};`,
  );
  const routes = described.plugins.flatMap(({ routes: own = [] }) => own.filter((each) => each.surface === surface));
  const entries = routes.map((route) => {
    const operation = document.paths[pathForm(route.template, route.path)]?.[route.method];
    if (!operation) throw new Error(`${route.name} is missing from its OpenAPI document`);
    const line = `${lines}${route.method.toUpperCase()} ${plainPath(route.path)}`;
    return `  ${JSON.stringify(line)}: { args: ${argsText(route, operation, records)}; answer: ${answerText(operation, records)} };`;
  });
  return `${shapes.join('\n')}\nexport interface ${name} {\n${entries.join('\n')}\n}`;
}

/** Returns the path parameters by name, the other query parameters, and the body. */
function argsText({ template }: Route, { parameters = [], requestBody }: Operation, records: string): string {
  const inLine = template.params.map(({ name, text }) => `${memberName(name)}: ${text ? 'string' : 'number | string'}`);
  const taken = new Set([...template.params.map(({ key }) => key), ...Object.keys(template.select)]);
  const query = parameters
    .filter((each) => each.in === 'query' && !taken.has(each.name))
    .map(
      ({ name, required, schema }) =>
        `${memberName(name)}${required ? '' : '?'}: ${optional(typeText(schema, records), required)}`,
    );
  const body = requestBody ? [bodyText(requestBody, records)] : [];
  return `{ ${[...inLine, ...query, ...body].join('; ')} }`;
}

// Empty filters are omitted from the URL, so pages can pass their values unchecked.
const optional = (type: string, required: boolean | undefined): string =>
  required ? type : `${type} | undefined | ''`;

function bodyText({ required, content }: NonNullable<Operation['requestBody']>, records: string): string {
  const json = content['application/json'];
  const types = [
    ...(json ? [typeText(json.schema, records)] : []),
    ...(content['multipart/form-data'] ? ['FormData'] : []),
  ];
  return `body${required ? '' : '?'}: ${types.join(' | ')}`;
}

function answerText({ responses }: Operation, records: string): string {
  const [good] = Object.entries(responses).filter(([status]) => status < '3');
  const content = good?.[1].content;
  const json = content?.['application/json'];
  if (json) return typeText(json.schema, records);
  return content ? 'string' : 'undefined';
}

// Generates TypeScript types from JSON schemas, as far as our OpenAPI documents use them.

/** A JSON schema of an OpenAPI 3.1 document. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly maxLength?: number;
}

/** Returns the type of a schema. `prefix` is prepended to component names. */
function typeText(schema: JsonSchema, prefix = ''): string {
  const text = (each: JsonSchema): string => typeText(each, prefix);
  if (schema.$ref !== undefined) return prefix + (schema.$ref.split('/').at(-1) ?? 'unknown');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((each) => JSON.stringify(each)));
  if (schema.allOf) return schema.allOf.map((each) => `(${text(each)})`).join(' & ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(text));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'unknown' : union(types.map((each) => basic(each, schema, text)));
}

function basic(type: string, schema: JsonSchema, text: (schema: JsonSchema) => string): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.prefixItems
        ? `readonly [${schema.prefixItems.map(text).join(', ')}]`
        : `readonly (${schema.items ? text(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectText(schema, text);
    default:
      return type;
  }
}

function objectText(schema: JsonSchema, text: (schema: JsonSchema) => string): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => `${memberName(name)}${required.has(name) ? '' : '?'}: ${text(each)}`,
  );
  const more = schema.additionalProperties;
  const open = typeof more === 'object' && Object.keys(more).length > 0 ? text(more) : 'unknown';
  if (members.length === 0) return `{ readonly [name: string]: ${open} }`;
  const named = `{ ${members.join('; ')} }`;
  return typeof more === 'object' ? `${named} & { readonly [name: string]: unknown }` : named;
}

/** Returns a member's name, quoted if it is not an identifier. */
const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
