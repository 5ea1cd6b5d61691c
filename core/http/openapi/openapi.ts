// Generates the OpenAPI 3.1 document of a surface from its route declarations.
import type { Event } from '@keelson/events/event.ts';
import { problemKinds, Problem, type ProblemKind } from '@keelson/kit/problem.ts';
import { queryShape } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { App } from '../../plugin/app.ts';
import { answerShape, problemShape } from '../../plugin/route/answer-shape.ts';
import { pathForm, pathSteps, plainPath, type Parameter } from '../../plugin/route/path-template.ts';
import type { Route } from '../../plugin/route/route.ts';
import type { SecurityScheme, Surface } from '../../plugin/route/surface.ts';
import { MAX_FILES } from '../body/multipart.ts';
import { takesIdempotencyKey } from '../once.ts';
import { operationId, singular } from './operation-id.ts';

const titles = { helpdesk: 'Helpdesk API', admin: 'Administrative API', crm: 'CRM API', pages: 'Pages' } as const;

const about = {
  helpdesk: 'For employees of a customer: what the portal does.',
  admin:
    'For technicians and integrations. Every address ending in `.php` has two forms, which do the same: ' +
    '`/tickets.php/7/comments`, as described here, and `/tickets.php?action=comments&id=7` (`x-query-form`).',
  crm: 'For websites and sales tools: leads, opportunities, contacts and the chat widget.',
  pages: '',
} as const;

/** The inputs of a document. */
export type Described = Pick<App, 'plugins' | 'ownerOf'> & {
  readonly config: Pick<App['config'], 'tenantName' | 'tenantSlug' | 'cookiePrefix' | 'baseUrl'>;
};

/** Returns a surface's document as a JSON value. */
export function describeSurface(app: Described, surface: Surface<any>): ReturnType<typeof createDocument> {
  const routes = app.plugins.flatMap((plugin) => plugin.routes ?? []).filter((route) => route.surface === surface);
  const problem = problemShape(surface).meta({ id: 'Problem' });
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = pathForm(route.template, route.path);
    paths[path] = { ...paths[path], [route.method]: operation(app, route, problem) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: `${app.config.tenantName} ${titles[surface.id]}`,
      version: 'v1',
      description: about[surface.id],
      license: { name: 'AGPL 3.0', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: app.config.baseUrl + surface.prefix }],
    tags: tagsOf(app, routes),
    paths,
    ...webhooksOf(app, surface),
    components: { schemas: namedShapes(routes), securitySchemes: schemesOf(app, surface) },
  };
  return createDocument(document, options);
}

/** Returns a tag for each plugin with routes, named like the plugin. */
function tagsOf(app: Described, routes: readonly Route[]): ZodOpenApiObject['tags'] {
  const owners = new Set(routes.map((route) => app.ownerOf(route)));
  return [...owners].map(({ title, description }) => ({ name: title, ...(description ? { description } : {}) }));
}

/** Returns the sign-in methods. Cookies are named after the tenant. */
function schemesOf({ config }: Described, { security }: Surface<any>): Record<string, SecurityScheme> {
  const named = (each: SecurityScheme): SecurityScheme =>
    each.type === 'apiKey' && each.in === 'cookie'
      ? { ...each, name: config.cookiePrefix + each.name.replace('{TENANT_SLUG}', config.tenantSlug) }
      : each;
  return Object.fromEntries(Object.entries(security).map(([name, each]) => [name, named(each)]));
}

/** Returns the events that a surface's webhooks receive, as the requests that receivers get. */
function webhooksOf({ plugins }: Described, surface: Surface<any>): Pick<ZodOpenApiObject, 'webhooks'> {
  const events = plugins.flatMap((plugin) => plugin.events ?? []).filter((each) => each.webhook === surface.id);
  if (events.length === 0) return {};
  const tags = ['Webhooks'];
  const webhooks = events.map((each): [string, { post: ZodOpenApiOperationObject }] => [
    each.name,
    {
      post: {
        operationId: `on${inOneWord(each.name)}`,
        summary: `Receive the event ${each.name}`,
        tags,
        security: [],
        requestParams: { header: webhookHeaders },
        requestBody: { required: true, content: { 'application/json': { schema: webhookBody(each) } } },
        responses: { '2XX': { description: 'Received' }, '410': { description: 'Do not send this again' } },
      },
    },
  ]);
  return { webhooks: Object.fromEntries(webhooks) };
}

const webhookHeaders = z.object({
  'X-Webhook-Event': z.string(),
  'X-Webhook-Delivery': z.string(),
  'X-Webhook-Signature': z.string(),
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
});

const webhookBody = ({ name, shape }: Event): z.ZodType =>
  z.object({ event: z.literal(name), timestamp: z.iso.datetime(), data: shape, signature: z.string() });

// Shapes JSON Schema cannot express become "anything", so that one odd field in a plugin does not break the document.
const options: CreateDocumentOptions = {
  allowEmptySchema: { custom: true, transform: true, date: true, bigint: true, map: true, set: true, undefined: true },
  override({ jsonSchema, zodSchema, io }) {
    // Later versions may add members, which clients must accept.
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // Text with several formats: each branch has its own type.
    if (jsonSchema.anyOf && jsonSchema.type === 'string') delete jsonSchema.type;
    // Noise: zod gives every integer its safe bounds, and every timestamp a 300-character pattern besides the format.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (zodSchema instanceof z.ZodISODateTime || zodSchema instanceof z.ZodISODate) delete jsonSchema.pattern;
  },
};

function operation(app: Described, route: Route, problem: z.ZodType): ZodOpenApiOperationObject {
  const body = route.upload === 'import' ? importBody : route.body;
  const content = route.upload === 'files' ? filesContent(route) : bodyContent(route, body);
  const { security, requirements = Object.keys(security).map((name) => [name]) } = route.surface;
  const requirement = requirements.map((names) => Object.fromEntries(names.map((name) => [name, []])));
  return {
    operationId: operationId(route),
    summary: route.title,
    description: `Access: ${route.access.title}.`,
    tags: [app.ownerOf(route).title],
    security: route.access.open ? [] : requirement,
    requestParams: parameters(route),
    // An absent body counts as an empty object.
    ...(body ? { requestBody: { content, required: route.upload === 'files' || !body.safeParse({}).success } } : {}),
    responses: responses(route, problem),
    ...(route.addition ? { 'x-addition': true } : {}),
    ...(route.path.includes('?') ? { 'x-query-form': plainPath(route.path) } : {}),
  } as ZodOpenApiOperationObject;
}

function bodyContent(route: Route, body: z.ZodType | undefined) {
  const types = route.upload ? ['application/json', 'text/csv', 'multipart/form-data'] : ['application/json'];
  return Object.fromEntries(types.map((type) => [type, { schema: type === 'text/csv' ? z.string() : body }]));
}

/** Files with the other fields, or one file as base64 (receive-files.ts). */
function filesContent({ body }: Route) {
  const fields = body instanceof z.ZodObject ? body.shape : {};
  const bytes = z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });
  return {
    'multipart/form-data': { schema: z.object({ file: z.array(bytes).min(1).max(MAX_FILES), ...fields }) },
    'application/json': { schema: z.object({ filename: z.string(), content_base64: z.base64(), ...fields }) },
  };
}

/** The rows as an array or in an object with options, or the CSV file as a member. */
const importBody = z.union([z.array(z.looseObject({})), z.looseObject({ csv: z.string().optional() })]);

/** Returns path and query parameters, in the path form, and the `Idempotency-Key` header. */
function parameters(route: Route): ZodOpenApiOperationObject['requestParams'] {
  const { params } = route.template;
  const steps = new Set(pathSteps(route.template).map(({ key }) => key));
  const inPath = params.filter(({ from, key }) => from === 'path' || steps.has(key));
  const inQuery = params.filter((each) => !inPath.includes(each));
  const shapesOf = (some: readonly Parameter[]) =>
    Object.fromEntries(some.map(({ key, text }) => [key, text ? z.string() : z.int().min(1)]));
  return {
    path: z.object(shapesOf(inPath)),
    query: z.object({ ...shapesOf(inQuery), ...queryShape(route.query)?.shape }),
    ...(takesIdempotencyKey(route) && !route.access.open ? { header: idempotencyHeader } : {}),
  };
}

const IDEMPOTENCY =
  'Printable ASCII. Repeating a request with the same key and body within 24 hours returns the first response.';

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ param: { description: IDEMPOTENCY } }),
});

function responses(route: Route, problem: z.ZodType): ZodOpenApiOperationObject['responses'] {
  const { surface, returns } = route;
  const shape = answerShape(route);
  const status = returns.kind === 'nothing' ? surface.removed({}, 'id').status : returns.status;
  const types = shape ? ['application/json'] : returns.types;
  const ofRanges = returns.kind === 'stored' ? [206, 304, 416] : [];
  const good = types.map((type) => [type, { schema: shape ?? z.string() }] as const);
  const bad = problemKinds.map((kind) => {
    const { status: code } = surface.problem(new Problem(kind, 'x'));
    const extra = extraOf(route, kind);
    const more = extra ? problemShape(surface, extra) : problem;
    // Access rules refuse without the extra members. On an open route some 401 responses lack them too.
    const schema = extra && (kind === 'forbidden' || route.access.open) ? z.union([problem, more]) : more;
    return [String(code), { description: sentence(code), content: { 'application/json': { schema } } }] as const;
  });
  return {
    ...Object.fromEntries(bad),
    ...Object.fromEntries(ofRanges.map((code) => [code, { description: sentence(code) }])),
    ...(returns.kind === 'added'
      ? { '200': { description: 'Already exists', content: Object.fromEntries(good) } }
      : {}),
    [String(status)]: { description: sentence(status), ...(good.length ? { content: Object.fromEntries(good) } : {}) },
  } as ZodOpenApiOperationObject['responses'];
}

/** Returns the extra members of responses with this kind of problem, if any. */
function extraOf({ signedOutExtra, forbiddenExtra }: Route, kind: ProblemKind) {
  const extra = kind === 'signed-out' ? signedOutExtra : kind === 'forbidden' ? forbiddenExtra : {};
  return Object.keys(extra).length > 0 ? extra : undefined;
}

const words: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  204: 'Deleted',
  206: 'Partial content',
  304: 'Not modified',
  303: 'See other',
  400: 'Validation error',
  401: 'Authentication required',
  403: 'Insufficient permissions, or the module is disabled',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Duplicate resource',
  413: 'Body too large',
  416: 'The range is outside the file',
  429: 'Rate limit exceeded',
  500: 'Internal server error',
  503: 'Temporarily unavailable',
};

function sentence(status: number): string {
  return words[status] ?? String(status);
}

// Names a surface's record shapes, so that OpenAPI describes each once, however many operations return it.

/**
 * Returns shapes by name. View shapes take their noun's title. Shapes shared by several operations are named after
 * their path. The first use of a name gets it; later ones are numbered.
 */
function namedShapes(routes: readonly Route[]): Record<string, z.ZodObject> {
  const uses = new Map<z.ZodObject, Route[]>();
  for (const route of routes) {
    const { shape } = route.returns;
    if (shape instanceof z.ZodObject) uses.set(shape, [...(uses.get(shape) ?? []), route]);
  }
  const titled = [...uses.keys()].flatMap((shape) => {
    const title = shape.meta()?.title;
    return title === undefined ? [] : [[inOneWord(title), shape] as const];
  });
  const others = [...uses].filter(([shape, users]) => users.length > 1 && shape.meta()?.title === undefined);
  const names = new Map<string, z.ZodObject>();
  for (const [name, shape] of titled) names.set(free(name, names), shape);
  for (const [shape, users] of others) {
    const name = nounOf(users);
    // `companies.php?id={id}` returns a `CompanyDetail`; `Company` is the row of its list.
    names.set(free(names.has(name) ? `${name}Detail` : name, names), shape);
  }
  return Object.fromEntries(names);
}

function nounOf([first]: readonly Route[]): string {
  const segments = first?.template.segments.filter((each) => each !== null) ?? [];
  return inOneWord(singular((segments.at(-1) ?? 'record').replace(/\.php$/, '')));
}

function free(name: string, taken: ReadonlyMap<string, unknown>): string {
  let candidate = name;
  for (let n = 2; taken.has(candidate); n++) candidate = name + n;
  return candidate;
}

const inOneWord = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((each) => each.slice(0, 1).toUpperCase() + each.slice(1))
    .join('');
