import test from 'ava';
import { z } from 'zod';
import { createSchema } from 'zod-openapi';
import { input } from '../../packages/kit/input.ts';
import { zoneOf } from '../../packages/kit/moment.ts';
import { fromMinor } from '../../packages/kit/money.ts';
import { param } from '../../packages/kit/param.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { parse } from '../../packages/kit/validate.ts';

function refusal(schema: z.ZodType, value: unknown): string {
  try {
    const read = parse(schema, value);
    return `accepted ${JSON.stringify(read)}`;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

const body = (schema: z.ZodType) => (value: unknown) => refusal(z.object({ x: schema }), { x: value });
const read = <S extends z.ZodType>(schema: S, value: unknown) => parse(schema, value);

test('text is trimmed, blank text is missing, characters are counted', (t) => {
  t.is(read(input.text(5), '  hello '), 'hello');
  t.is(read(input.text(5), '👩👩👩👩👩'), '👩👩👩👩👩');
  const refused = body(input.text(5));
  t.is(refused('👩👩👩👩👩👩'), 'x must be at most 5 characters');
  t.is(refused('   '), 'x is required');
  t.is(refused(undefined), 'x is required');
  t.is(refused(null), 'x must not be null');
  t.is(refused(3), 'x must be text');
  t.is(refused(['a']), 'x must be text');
});

test('NUL and lone surrogates are rejected in every kind of text', (t) => {
  for (const schema of [input.text(9), input.optionalText(9), input.longText(), input.secret(), input.email()]) {
    for (const bad of ['a\0b', 'a\ud800b', '\udc00', 'a@b.c\0']) {
      t.is(body(schema)(bad), 'x must not contain NUL or unpaired surrogates');
    }
  }
});

test('optional text stores null and blank as empty, and stays absent if absent', (t) => {
  const schema = z.object({ x: input.optionalText(5) });
  t.deepEqual(parse(schema, { x: null }), { x: '' });
  t.deepEqual(parse(schema, { x: ' ' }), { x: '' });
  t.is(parse(schema, {}).x, undefined);
  t.is(refusal(schema, { x: 'abcdef' }), 'x must be at most 5 characters');
  t.is(read(input.optionalEmail(), null), '');
  t.is(read(input.optionalUrl(), ' '), '');
  t.is(body(input.optionalUrl())('ftp://a.b'), 'x must be an absolute http or https URL');
  t.is(body(input.phone())('1'.repeat(33)), 'x must be at most 32 characters');
});

test('long text is limited to 65,535 characters', (t) => {
  t.is(read(input.longText(), 'a'.repeat(65_535)).length, 65_535);
  t.is(body(input.optionalLongText())('a'.repeat(65_536)), 'x must be at most 65535 characters');
});

test('IP and MAC addresses are validated and normalised', (t) => {
  t.is(read(input.ip(), ' 2001:DB8:0::1 '), '2001:db8::1');
  t.is(read(input.ip(), '::ffff:192.0.2.7'), '192.0.2.7');
  for (const zone of ['12', 'en0', 'br-3f0a.7']) t.is(read(input.ip(), `FE80::1%${zone}`), 'fe80::1');
  t.is(read(input.optionalIp(), null), '');
  for (const bad of [
    '10.1',
    '10.0.0.1/8',
    '256.1.1.1',
    '2001:db8::1%eth0',
    'fe80::1%',
    'fe80::1%a b',
    '0x7f.0.0.1',
    ':'.repeat(1000),
  ])
    t.regex(body(input.ip())(bad), /^x must be (an IPv4 or IPv6 address|at most 45 characters)$/, bad);
  for (const mac of ['AA-BB-CC-DD-EE-0F', 'aabb.ccdd.ee0f', 'AABBCCDDEE0F', 'aa:bb:cc:dd:ee:0f'])
    t.is(read(input.optionalMac(), mac), 'aa:bb:cc:dd:ee:0f');
  t.is(read(input.optionalMac(), ' '), '');
  for (const bad of ['aa:bb-cc:dd:ee:ff', 'aa:bb:cc:dd:ee', 'aabb:ccdd:eeff', 'gg:bb:cc:dd:ee:ff'])
    t.is(body(input.optionalMac())(bad), 'x must be a MAC address (six pairs of hexadecimal digits)');
});

test('secrets keep their spaces', (t) => {
  t.is(read(input.secret(), ' pass word '), ' pass word ');
  t.is(body(input.secret())(''), 'x is required');
});

test('whole numbers are strict: no text, 3.0 is 3', (t) => {
  const refused = body(input.int(1, 5));
  t.is(read(input.int(1, 5), 3.0), 3);
  t.is(refused('3'), 'x must be a whole number');
  t.is(refused(2.5), 'x must be a whole number');
  t.is(refused(true), 'x must be a whole number');
  t.is(refused(NaN), 'x must be a whole number');
  for (const out of [0, 6, -1, 2 ** 53, 1e300]) t.is(refused(out), 'x must be between 1 and 5');
});

test('an id is a positive whole number below 2^53', (t) => {
  const refused = body(input.id());
  t.is(read(input.id(), 7), 7);
  t.is(refused(0), 'x must be a positive whole number');
  t.is(refused('7'), 'x must be a whole number');
  t.is(refused(2 ** 53), 'x must be a valid id');
});

test('duplicate ids count once, and 1 to 500 are accepted', (t) => {
  t.deepEqual(read(input.ids(), [3, 1, 3, 2, 1]), [3, 1, 2]);
  t.is(
    read(
      input.ids(),
      Array.from({ length: 900 }, (_, i) => (i % 500) + 1),
    ).length,
    500,
  );
  const refused = body(input.ids());
  t.is(refused([]), 'x must contain between 1 and 500 ids');
  t.is(refused(Array.from({ length: 501 }, (_, i) => i + 1)), 'x must contain between 1 and 500 ids');
  t.is(refused([1, 'b']), 'x[1] must be a whole number');
  t.is(refused(4), 'x must be a list');
  t.is(body(input.ids({ max: 2 }))([1, 2, 3]), 'x must contain between 1 and 2 ids');
});

test('a flag is true or false only', (t) => {
  t.true(read(input.flag(), true));
  for (const bad of ['true', 1, 'yes']) t.is(body(input.flag())(bad), 'x must be true or false');
});

test('a choice is case-insensitive and returned in its documented spelling', (t) => {
  const status = input.choice(['open', 'in_progress', 'Read Only']);
  t.is(read(status, ' READ ONLY'), 'Read Only');
  t.is(body(status)('closed'), 'x must be one of: open, in_progress, Read Only');
  t.is(body(status)(3), 'x must be one of: open, in_progress, Read Only');
  t.is(body(status)(undefined), 'x is required');
  t.is(body(status)('constructor'), 'x must be one of: open, in_progress, Read Only');
});

test('an email address has one @, a dot in its domain, no spaces and no syntax of mails', (t) => {
  for (const good of ['a@b.c', "o'neil+x@sub.example.org", 'Ünï@exämple.de']) t.is(read(input.email(), good), good);
  for (const bad of [
    'a',
    'a@b',
    'a@@b.c',
    'a b@c.d',
    'a@b.',
    'a@.b',
    '@b.c',
    'a@b..c',
    'a@b.c\r\nBcc: d@e.f',
    'a@b@c.d',
    '<a@b.c>',
    'Ann <a@b.c>',
    'mailto:a@b.c',
    'a,b@c.d',
    'a@b.c;',
    'a@[192.0.2.1]',
    '"a"@b.c',
  ]) {
    t.is(body(input.email())(bad), 'x must be an email address', bad);
  }
  t.is(body(input.email())(`${'a'.repeat(250)}@b.c`), 'accepted {"x":"' + `${'a'.repeat(250)}@b.c"}`);
  t.is(body(input.email())(`${'a'.repeat(251)}@b.c`), 'x must be at most 254 characters');
});

test('a URL is absolute, http or https, without control characters', (t) => {
  for (const good of ['https://a.b/c?d=e#f', 'HTTP://localhost:8080']) t.is(read(input.url(), good), good);
  for (const bad of [
    '/a',
    'a.b',
    'javascript:alert(1)',
    'ftp://a.b',
    'https://',
    'http:a.b',
    'https://a.b/\nx',
    'https:// a.b',
  ]) {
    t.is(body(input.url())(bad), 'x must be an absolute http or https URL', bad);
  }
});

test('a colour is stored as six lower-case hex digits', (t) => {
  t.is(read(input.colour(), '#AbC'), '#aabbcc');
  t.is(read(input.colour(), ' #A1B2C3 '), '#a1b2c3');
  for (const bad of ['red', '#12', '#12345', '#ggg', '123456', '#1234567']) {
    t.is(body(input.colour())(bad), 'x must be a colour (#RRGGBB or #RGB)', bad);
  }
});

test('a date must exist; a timestamp is truncated to its date', (t) => {
  t.is(read(input.day(), '2024-02-29'), '2024-02-29');
  t.is(read(input.day(), '2026-11-21T23:30:00-05:00'), '2026-11-21');
  for (const bad of ['2026-02-29', '2026-13-01', '2026-1-1', '21.11.2026', '', '0000-01-01', '2026-11-21Tnoon']) {
    t.is(body(input.day())(bad), 'x must be a date (YYYY-MM-DD)', bad);
  }
});

test('a timestamp is ISO 8601, in its own offset or the tenant’s time zone', (t) => {
  const utc = (text: string) => read(input.timestamp(), text);
  t.is(utc('2026-11-21T09:30:00Z'), '2026-11-21T09:30:00.000Z');
  t.is(utc('2026-11-21T09:30:00.123456+02:00'), '2026-11-21T07:30:00.123Z');
  t.is(utc('2026-11-21 09:30'), '2026-11-21T09:30:00.000Z');
  t.is(utc('2026-11-21'), '2026-11-21T00:00:00.000Z');
  const berlin = (text: string) => read(input.timestamp('Europe/Berlin'), text);
  t.is(berlin('2026-11-21T09:30'), '2026-11-21T08:30:00.000Z');
  t.is(berlin('2026-07-01T09:30'), '2026-07-01T07:30:00.000Z');
  t.is(berlin('2026-07-01'), '2026-06-30T22:00:00.000Z');
  t.is(berlin('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z', 'skipped: an hour later');
  t.is(berlin('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z', 'twice: the first');
  t.is(berlin('2026-11-21T09:30Z'), '2026-11-21T09:30:00.000Z');
  for (const bad of [
    '',
    'now',
    '2026-11-21T24:00Z',
    '2026-02-30T00:00Z',
    '2026-11-21T09:60Z',
    '1763717400',
    '9999-12-31T23:30-12:00',
    '2026-11-21T09:30+99:00',
  ]) {
    t.is(body(input.timestamp())(bad), 'x must be an ISO 8601 timestamp', bad);
  }
});

test('a timestamp without an offset is in the tenant’s time zone', (t) => {
  const schema = z.object({ at: input.clearable(input.timestamp()) });
  const berlin = (at: unknown) => parse(schema, { at }, 'Request body', zoneOf('Europe/Berlin'));
  t.deepEqual(berlin('2026-07-01T09:30'), { at: '2026-07-01T07:30:00.000Z' });
  t.deepEqual(berlin('2026-07-01T09:30Z'), { at: '2026-07-01T09:30:00.000Z' });
  t.deepEqual(berlin(null), { at: null });
});

test('money has at most two decimals and becomes minor units, exactly', (t) => {
  for (const [amount, minor] of [
    [0, 0],
    [19.99, 19_990],
    [0.1, 100],
    [1.15, 1150],
    [-4.35, -4350],
    [999_999_999_999.99, 999_999_999_999_990],
  ] as const) {
    t.is(read(input.money(), amount), minor);
    t.is(read(param.money(), String(amount)), minor);
    t.is(fromMinor(minor), amount);
  }
  t.is(read(input.money({ decimals: 3 }), 1.234), 1234);
  t.is(body(input.money({ decimals: 3 }))(1.2345), 'x must be an amount with at most 3 decimals');
  const refused = body(input.money({ min: 0 }));
  t.is(refused(-0.01), 'x must be at least 0');
  t.is(refused('5'), 'x must be a number');
  for (const bad of [1.005, 1e-7]) t.is(refused(bad), 'x must be an amount with at most 2 decimals', String(bad));
  for (const bad of [1e21, 1_000_000_000_000]) t.is(refused(bad), 'x must be less than 1,000,000,000,000', String(bad));
  t.is(body(param.money())('1.005'), 'x must be an amount with at most 2 decimals');
  t.is(body(param.money())('ten'), 'x must be a number');
  t.is(read(param.money(), ''), undefined);
});

test('a clearable field treats null and blank as null', (t) => {
  const schema = z.object({ x: input.clearable(input.id()), y: input.clearable(input.day()) });
  t.deepEqual(parse(schema, { x: null, y: ' ' }), { x: null, y: null });
  t.deepEqual(parse(schema, {}), {});
  t.is(refusal(schema, { x: 'a', y: 'b' }), 'x must be a whole number; y must be a date (YYYY-MM-DD)');
});

test('changes accept any fields, at least one known, and null only where clearable', (t) => {
  const schema = input.changes({
    subject: input.text(255),
    description: input.optionalLongText(),
    site_number: input.clearable(input.id()),
  });
  t.deepEqual(parse(schema, { subject: 'a', unknown: 1 }), { subject: 'a' });
  t.deepEqual(parse(schema, { site_number: null }), { site_number: null });
  t.deepEqual(parse(schema, { description: null }), { description: '' });
  t.is(refusal(schema, {}), 'No fields to update');
  t.is(refusal(schema, { subjekt: 'a', ticket_id: 3 }), 'No fields to update');
  t.is(refusal(schema, { subject: null }), 'subject must not be null');
  t.is(refusal(schema, { subject: '' }), 'subject is required');
});

test('OpenAPI can describe every field and every parameter', (t) => {
  const all = z.object({
    text: input.text(255),
    optional: input.optionalText(9),
    long: input.longText().optional(),
    email: input.email(),
    url: input.optionalUrl(),
    colour: input.colour(),
    int: input.int(1, 5),
    ids: input.ids(),
    choice: input.choice(['a', 'b']),
    day: input.day(),
    timestamp: input.timestamp(),
    clearable: input.clearable(input.id()),
    changes: input.changes({ flag: input.flag() }),
    page: param.int(1),
    status: param.choice(['open', 'closed'], { all: true }),
    sort: param.sort(['created_at', 'name'], 'created_at'),
    after: param.required(param.dayOrTime('from')),
  });
  const { schema } = createSchema(all, { io: 'input' });
  const described = JSON.parse(JSON.stringify(schema));
  t.deepEqual(described.required, [
    'text',
    'email',
    'colour',
    'int',
    'ids',
    'choice',
    'day',
    'timestamp',
    'changes',
    'after',
  ]);
  const { properties } = described;
  t.like(properties.text, { type: 'string', minLength: 1, maxLength: 255 });
  t.like(properties.int, { type: 'integer', minimum: 1, maximum: 5 });
  t.like(properties.ids, { type: 'array', minItems: 1, maxItems: 500 });
  t.deepEqual(properties.choice.enum, ['a', 'b']);
  t.deepEqual(properties.status.enum, ['open', 'closed', 'all']);
  t.is(properties.sort.default, 'created_at');
});
