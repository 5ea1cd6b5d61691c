// Generates requests from the API reference and corrupts them, for every route and in every way we could think of.
import type { TestApp } from '@keelson/testing';
import { describeSurface } from '../../core/http/openapi/openapi.ts';
import { surfaces } from '../../core/http/routing/routes.ts';
import { pathForm, plainPath } from '../../core/plugin/route/path-template.ts';
import type { Route } from '../../core/plugin/route/route.ts';
import { fc } from '../_random.ts';

export interface BadRequest {
  /** The route it is based on. */
  readonly from: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer | undefined;
}

export type Credential = Readonly<Record<string, string>>;

export interface Known {
  /** Valid credential headers, by surface. */
  readonly good: Readonly<Record<Route['surface']['id'], readonly Credential[]>>;
  /** Existing values, by parameter name. */
  readonly values: Readonly<Record<string, readonly (string | number)[]>>;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Generates requests to every declared route, most of them wrong in one to four ways. */
export function badRequests(app: TestApp, known: Known): fc.Arbitrary<BadRequest> {
  const targets = surfaces.flatMap((surface) => {
    const { paths = {} } = describeSurface(app.app, surface);
    const routes = app.app.plugins.flatMap((plugin) => plugin.routes ?? []).filter((each) => each.surface === surface);
    return routes.map((route) => request(route, paths[pathForm(route.template, route.path)]?.[route.method], known));
  });
  return fc.oneof(...targets);
}

interface Described {
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
}

function request(route: Route, described: Described | undefined, known: Known): fc.Arbitrary<BadRequest> {
  const parameters = (described?.parameters ?? []) as { in: string; name: string; schema: Schema }[];
  // Parameters in the path's own query are already set.
  const own = new Set([...route.template.params.map(({ key }) => key), ...Object.keys(route.template.select)]);
  const query = parameters.filter((each) => each.in === 'query' && !own.has(each.name));
  const content = (described?.requestBody as { content?: Record<string, { schema: Schema }> })?.content;
  const schema = content?.['application/json']?.schema;
  const fields = Object.keys(schema?.properties ?? {});
  return fc
    .record({
      path: pathOf(route, known),
      query: fc.subarray(query).chain((some) => fc.tuple(...some.map((each) => parameter(each.name, each.schema)))),
      moreQuery: seldom(fc.array(strayParameter, { maxLength: 3 }), []),
      method: seldom(fc.constantFrom(...methods), route.method.toUpperCase()),
      sender: sender(known.good, route.surface.id),
      headers: seldom(fc.array(strayHeader, { maxLength: 3 }), []),
      body: bodyOf(schema, fields, route.method),
    })
    .map(({ path, query: pairs, moreQuery, method, sender: who, headers, body }) => {
      const search = [...(path.includes('?') ? [path.split('?')[1]] : []), ...pairs, ...moreQuery].join('&');
      const [bare = ''] = path.split('?');
      const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': formOf(route) };
      return {
        from: `${route.surface.id} ${route.method} ${route.path}`,
        method,
        path: search ? `${bare}?${search}` : bare,
        headers: { ...type, ...who, ...Object.fromEntries(headers) },
        body: formOf(route) === 'application/json' ? body : asForm(body),
      };
    });
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

function seldom<T>(odd: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
}

function formOf(route: Route): string {
  return route.surface.id === 'pages' ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** Forms are flat text; anything but a JSON object is sent unchanged. */
function asForm(body: string | Buffer | undefined): string | Buffer | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return body;
  try {
    const fields = Object.entries(JSON.parse(body) as object);
    return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  } catch {
    return body;
  }
}

// Values ------------------------------------------------------------------------------------------------------------

const nasty = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  'null',
  'true',
  'NaN',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"; DROP TABLE ticket; --',
  '%',
  '_',
  '\\',
  '!%_',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'ﷺ'.repeat(60),
  `${'ﷺ'.repeat(60)}@example.com`,
  '2026-02-30',
  '0000-00-00',
  '9999-12-31T23:59:59Z',
  '10000-01-01',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  'a\u0000b',
  '\u202e\u200b',
  '😀'.repeat(80),
  'İıſK',
  'é'.normalize('NFD'),
  '\ufffd\uffff',
  'x'.repeat(256),
  'x'.repeat(5000),
);

const oddText = fc.oneof(nasty, fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 }));

const garbage: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), 2 ** 31, [], {}, [[]], [null]),
  fc.constant({ $ne: null }),
  fc.constant({ toString: 'x', length: -1 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.array(fc.integer(), { maxLength: 600, size: 'max' }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates values that the schema allows, mostly short ones. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
  switch (schema.type ?? 'any') {
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 60, 60) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 4 });
    case 'object': {
      const { properties, additionalProperties } = schema;
      if (properties) return fc.record(mapped(properties, valueOf), { requiredKeys: [] });
      const inner = typeof additionalProperties === 'object' ? additionalProperties : {};
      return fc.dictionary(fc.constantFrom('warranty', 'nothing', '', 'toString', 'valueOf'), valueOf(inner), {
        noNullPrototype: true,
      });
    }
    case 'string':
      if (schema.format?.startsWith('date')) return fc.constantFrom('2026-03-01', '2026-03-01T10:00:00Z');
      return fc.oneof(fc.constantFrom('x', 'Printer', 'open'), fc.string({ minLength: 1, maxLength: 20 }));
    default:
      return garbage;
  }
}

function mapped(properties: Readonly<Record<string, Schema>>, make: (schema: Schema) => fc.Arbitrary<unknown>) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, make(schema)]));
}

// Paths and parameters ----------------------------------------------------------------------------------------------

const badEncodings = ['%', '%zz', '%ff', '%c0%af', '%00', '%25%32%46', '%2e%2e', '%2F', '%F0%9F%98%80', '%ud800'];

function pathOf(route: Route, known: Known): fc.Arbitrary<string> {
  const values = route.template.params.map(({ name }) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(known.values[name] ?? [1])) },
      { weight: 1, arbitrary: fc.constantFrom<string | number>(987_654, 0, -1, 2 ** 53, '01', 'x', ...badEncodings) },
      { weight: 1, arbitrary: oddText.map(encodeURIComponentSafely) },
    ),
  );
  const plain = fc.tuple(...values).map((given) => {
    const rest = plainPath(route.path).replace(/\{\w+\}/g, () => String(given.shift()));
    return route.surface.prefix + rest;
  });
  return fc
    .tuple(
      plain,
      seldom(fc.constantFrom(...pathDamages), (path: string) => path),
    )
    .map(([path, damage]) => damage(path));
}

type Change = (path: string) => string;

const pathDamages: readonly Change[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.replace('/api', '//api'),
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/v1', '/api/v2'),
  (path) => path.replace(/\/(\w)/, '/%6$1'),
  (path) => path.replace('?', '/../?'),
  (path) => `/${path}`,
  (path) => `${path}${'/x'.repeat(500)}`,
  (path) => path.replace('action=', 'action=action='),
  (path) => `${path}${path.includes('?') ? '&' : '?'}action=${'x'.repeat(300)}`,
  (path) => path.replace('.php', '.php%00.json'),
  (path) => path.replace('.php', '.PHP'),
  (path) => `${path};jsessionid=1`,
];

/** A lone surrogate cannot be encoded. */
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function parameter(name: string, schema: Schema): fc.Arbitrary<string> {
  const good = valueOf(schema).map((value) => `${name}=${encodeURIComponentSafely(String(value))}`);
  const bad = fc.oneof(
    oddText.map((text) => `${name}=${encodeURIComponentSafely(text)}`),
    fc.constantFrom(...badEncodings).map((text) => `${name}=${text}`),
    fc.constantFrom(name, `${name}=`, `${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`, `${name}=1=2`, `=${name}`),
  );
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 1, arbitrary: bad });
}

const strayParameter = fc.oneof(
  fc.constantFrom(
    '__proto__=1',
    '__proto__[admin]=1',
    'constructor=1',
    'id=1',
    'id=1&id=x',
    'action=',
    'action=delete',
  ),
  fc.constantFrom('page=0', 'page=999999999', 'page=99999999999999999999', 'limit=0', 'limit=-1', 'per_page=1e3'),
  fc.constantFrom('api_key=x', 'access_token=x', '&&&', '=', '%', '%ff=%ff', 'x'.repeat(4000)),
);

// Bodies ------------------------------------------------------------------------------------------------------------

const serverOwned = {
  ticket_id: 1,
  company_number: 2,
  employee_number: 2,
  ismgr: true,
  it_privileges: true,
  is_internal: true,
  status: 'closed',
  approval_status: 'approved',
  created_at: '2000-01-01T00:00:00Z',
  deleted_at: null,
  total: 1e9,
  password_hash: 'x',
};

function bodyOf(
  schema: Schema | undefined,
  fields: readonly string[],
  method: string,
): fc.Arbitrary<string | Buffer | undefined> {
  if (method === 'get') return seldom(rawBody, undefined);
  const object = (schema ? valueOf(schema) : fc.constant({})) as fc.Arbitrary<Record<string, unknown>>;
  const name = fields.length > 0 ? fc.constantFrom(...fields) : fc.constant('x');
  const damaged = fc
    .tuple(object, fc.array(fc.tuple(name, garbage), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([good, wrong, owned]) => ({ ...good, ...Object.fromEntries(wrong), ...(owned ? serverOwned : {}) }));
  const json = fc.oneof({ weight: 1, arbitrary: object }, { weight: 3, arbitrary: damaged });
  return fc.oneof(
    { weight: 5, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: rawBody },
    { weight: 1, arbitrary: name.map(twisted) },
  );
}

/** Writes a field as JSON.stringify never would. */
function twisted(field: string): string {
  const name = JSON.stringify(field);
  const values = [
    '1e400',
    '-1e400',
    '123456789012345678901234567890',
    '0.1e-400',
    '"\\ud800"',
    '"a\\u0000b"',
    `"${'y'.repeat(70_000)}"`,
    `${'['.repeat(40)}${']'.repeat(40)}`,
    `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`,
    `[${'1,'.repeat(600)}1]`,
  ];
  const at = field.length % values.length;
  return `{${values.map((_, i) => `${name}:${values[(at + i) % values.length]}`).join(',')}}`;
}

const rawBody: fc.Arbitrary<string | Buffer | undefined> = fc.oneof(
  fc.constantFrom<string | Buffer | undefined>(
    undefined,
    '',
    '   ',
    '{',
    '}',
    '[]',
    '[[[',
    'null',
    '"x"',
    '7',
    'a=1&b=2',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"a":1,"a":2}',
    "{'a':1}",
    '{"a":NaN}',
    '\ufeff{}',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    Buffer.from([0x1f, 0x8b, 8, 0, 0]),
    Buffer.from('PK\u0003\u0004'),
    '{"x":'.repeat(10_000),
    `{"x":"${'z'.repeat(1_100_000)}"}`,
  ),
  fc.string({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

// Headers -----------------------------------------------------------------------------------------------------------

type Header = readonly [string, string | readonly string[]];

const strayHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom<Header>(
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'text/csv'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', 'multipart/form-data'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', ';;;'],
    ['Content-Type', `application/json; charset=${'x'.repeat(500)}`],
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', 'identity'],
    ['X-Forwarded-For', '203.0.113.9, ::1, nonsense'],
    ['X-Forwarded-Host', 'evil.example.com'],
    ['X-Forwarded-Proto', 'https'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Original-URL', '/admin'],
    ['Host', 'evil.example.com'],
    ['Host', 'a@b:99999'],
    ['Origin', 'https://evil.example.com'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-origin'],
    ['If-None-Match', '*'],
    ['If-None-Match', `"${'x'.repeat(3000)}"`],
    ['Range', 'bytes=0-1,5-'],
    ['Accept', 'nonsense'],
    ['Accept-Encoding', 'gzip;q=9'],
    ['Idempotency-Key', 'the same for all'],
    ['Idempotency-Key', 'x'.repeat(300)],
    ['Idempotency-Key', '\u00fc'],
    ['Cookie', `HELPDESK_default=${'x'.repeat(2000)}`],
    ['Cookie', 'HELPDESK_default=a; HELPDESK_default=b; SERVICE_default=%00'],
    ['Cookie', '=;;; __proto__=1; HELPDESK_default'],
    ['Authorization', ['Bearer a', 'Bearer b']],
    ['Authorization', 'Basic Zm9vOmJhcg=='],
  ),
);

/** Generates a credential of this surface, of another surface, or one of many invalid kinds. */
function sender(known: Known['good'], surface: Route['surface']['id']): fc.Arbitrary<Credential> {
  const good = Object.values(known).flat();
  const bearers = good.flatMap((each) => each['Authorization'] ?? []);
  const cookies = good.flatMap((each) => each['Cookie'] ?? []);
  const keys = good.flatMap((each) => each['X-API-Key'] ?? []);
  const unsigned = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwic2lkIjoxfQ.';
  const wrong = fc.oneof(
    fc
      .constantFrom(...bearers)
      .chain((text) =>
        fc.constantFrom(text.slice(0, -1), `${text}x`, text.toUpperCase(), text.slice(7), `${text} ${text}`),
      ),
    fc.constantFrom('Bearer', `Bearer ${unsigned}`, `Bearer ${'a'.repeat(5000)}`, 'Bearer a.b.c', 'bearer null'),
  );
  const damaged = fc
    .constantFrom(...cookies)
    .chain((cookie) => fc.constantFrom(`${cookie}x`, `${cookie}; ${cookie}`, cookie.slice(0, 30)));
  return fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...known[surface]) },
    { weight: 1, arbitrary: fc.constantFrom({}, ...good) },
    { weight: 1, arbitrary: wrong.map((Authorization) => ({ Authorization })) },
    { weight: 1, arbitrary: fc.constantFrom(...keys).map((key) => ({ Authorization: `Bearer ${key}` })) },
    { weight: 1, arbitrary: fc.constantFrom(...bearers).map((text) => ({ 'X-API-Key': text.slice(7) })) },
    { weight: 1, arbitrary: damaged.map((Cookie) => ({ Cookie })) },
  );
}
