import test from 'ava';
import { z } from 'zod';
import { input } from '../../packages/kit/input.ts';
import { param } from '../../packages/kit/param.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { parse, safeParse } from '../../packages/kit/validate.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

function refusal(schema: z.ZodType, value: unknown, what?: string): string {
  try {
    return `accepted ${JSON.stringify(parse(schema, value, what))}`;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'invalid') return error.message;
    throw error;
  }
}

const query = (schema: z.ZodType) => (x: unknown) => refusal(z.object({ x: schema }), { x });
const read = <S extends z.ZodType>(schema: S, value: unknown) => parse(schema, value);

test('all problems are named, in field order', (t) => {
  const schema = z.object({
    subject: input.text(255),
    priority: input.int(1, 5),
    status: input.choice(['open', 'closed']),
    ticket_ids: input.ids(),
  });
  t.is(
    refusal(schema, { ticket_ids: [], status: 'x', priority: 9 }),
    'subject is required; priority must be between 1 and 5; status must be one of: open, closed; ticket_ids must contain between 1 and 500 ids',
  );
});

test('a nested field is named by its path, each field once', (t) => {
  const line = z.object({ quantity: input.int(1, 9), price: z.number() });
  const schema = z.object({ line_items: z.array(line).min(1) });
  t.is(
    refusal(schema, { line_items: [{ quantity: 0, price: 'a' }, {}] }),
    'line_items[0].quantity must be between 1 and 9; line_items[0].price must be a number; line_items[1].quantity is required; line_items[1].price is required',
  );
  t.is(refusal(schema, { line_items: [] }), 'line_items must contain at least 1 items');
});

test('a value that is wrong as a whole is named by the caller’s term', (t) => {
  t.is(refusal(z.object({}), [], 'Device'), 'Device must be an object');
  t.is(refusal(z.object({}), undefined), 'Request body is required');
  const range = z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b, 'b must be later than a');
  t.is(refusal(range, { a: 2, b: 1 }), 'b must be later than a');
});

test('names sent by the caller are not repeated', (t) => {
  const schema = z.object({ raw: z.record(z.string(), z.string()) });
  t.is(refusal(schema, { raw: { '<script>alert(1)</script>': 3 } }), 'raw must be text');
  t.is(refusal(schema, { raw: { fine: 3 } }), 'raw.fine must be text');
  t.is(refusal(z.strictObject({}), { '<b>': 1 }), 'Request body has unknown members');
});

test('unions list what all their branches accept', (t) => {
  t.is(refusal(z.object({ x: z.union([z.string(), z.number()]) }), { x: true }), 'x must be text or a number');
  const shapes = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), n: z.int() }),
    z.object({ kind: z.literal('b') }),
  ]);
  t.regex(refusal(shapes, { kind: 'c' }), /^kind /);
  t.is(refusal(shapes, { kind: 'a' }), 'n is required');
});

const everyKind = z.object({
  text: input.text(5),
  mail: input.email(),
  url: input.url(),
  colour: input.colour(),
  int: input.int(1, 5),
  id: input.id(),
  ids: input.ids(),
  flag: input.flag(),
  choice: input.choice(['one', 'two']),
  day: input.day(),
  time: input.timestamp(),
  clear: input.clearable(input.int(1, 5)),
  number: z.number().gt(1).multipleOf(2),
  list: z.array(z.string().regex(/^b$/)).max(1),
  map: z.record(z.string().max(2), z.boolean()),
  either: z.union([z.literal('q'), z.object({ z: z.null() })]),
  tuple: z.tuple([z.int()]),
  mail2: z.email(),
  url2: z.url(),
  iso: z.iso.datetime(),
  big: z.bigint(),
  date: z.date(),
});
const LEAKS = /invalid|expected|received|input|zod|undefined|NaN|too (?:big|small)|pattern|>=|<=/i;

const anyValues: fc.Arbitrary<Record<string, unknown>> = fc.record(
  Object.fromEntries(Object.keys(everyKind.shape).map((key) => [key, fc.anything()])),
  { requiredKeys: [] },
);
/** Caller-defined field names that look like zod terms. */
const ownNames: [Record<string, unknown>][] = [[{ map: { zOd: 1 } }], [{ map: { NaN: 'input' } }]];

testProp(
  'sentences never carry zod’s words or the caller’s value',
  [anyValues],
  (t, value) => {
    const result = safeParse(everyKind, value, 'Request body');
    // Errors name a field by its path, which may end in a caller-defined name: `map.zOd`.
    for (const [field, sentence] of 'errors' in result ? result.errors : []) {
      const phrase = sentence
        .slice(field.length)
        .replace(/\b(?:is invalid|has an invalid form|has a member with an invalid name)\b/, '');
      t.true(sentence.startsWith(field));
      t.notRegex(phrase, LEAKS);
      t.notRegex(sentence, /Canary/);
    }
    t.pass();
  },
  { numRuns: 500, examples: ownNames },
);

test('the value itself is never included', (t) => {
  const canary = 'Canary<script>';
  for (const value of [canary, [canary], { [canary]: canary }]) {
    const all = Object.fromEntries(Object.keys(everyKind.shape).map((key) => [key, value]));
    t.notRegex(refusal(everyKind, all), /Canary/);
  }
});

test('a whole-number parameter is parsed strictly from text', (t) => {
  t.is(read(param.int(1), '25'), 25);
  t.is(read(param.int(), '-3'), -3);
  t.is(read(param.int(1), ''), undefined);
  t.is(read(param.int(1), undefined), undefined);
  for (const bad of ['a', '1.0', '1e3', '0x10', '١', '12345678901234567890', '9007199254740993']) {
    t.is(query(param.int(1))(bad), 'x must be a whole number', bad);
  }
  t.is(query(param.int(1))('0'), 'x must be at least 1');
  t.is(query(param.int(1, 5))('6'), 'x must be between 1 and 5');
  t.is(query(param.id())('0'), 'x must be a positive whole number');
  const idOrWord = 'x must be a positive whole number or one of: none, me';
  for (const wrong of ['0', '-1', '1.5', 'us', '1e3', '99999999999999999'])
    t.is(query(param.idOr('none', 'me'))(wrong), idOrWord, wrong);
  t.is(query(param.idOr('none', 'me'))(['3', 'me']), 'x must be given only once');
  t.is(query(param.id())(['3', '4']), 'x must be given only once');
});

test('a flag parameter is true, false, 1 or 0 in any case', (t) => {
  for (const yes of ['true', 'TRUE', '1']) t.true(read(param.flag(), yes));
  for (const no of ['false', 'False', '0']) t.false(read(param.flag(), no));
  t.is(query(param.flag())('yes'), 'x must be true or false');
});

test('a text parameter is trimmed, limited and validated', (t) => {
  t.is(read(param.text(5), ' a b '), 'a b');
  t.is(read(param.text(5), '  '), undefined);
  t.is(query(param.text(5))('abcdef'), 'x must be at most 5 characters');
  t.is(query(param.text())('a\0'), 'x must not contain NUL or unpaired surrogates');
});

test('"all" means no filter where allowed', (t) => {
  const status = param.choice(['open', 'on_hold'], { all: true });
  t.is(read(status, 'ON_HOLD'), 'on_hold');
  t.is(read(status, 'All'), undefined);
  t.is(query(status)('x'), 'x must be one of: open, on_hold, all');
  t.is(query(param.choice(['open']))('all'), 'x must be one of: open');
});

test('sort and order have defaults and an allow-list', (t) => {
  const sort = param.sort(['created_at', 'subject'], 'created_at');
  t.is(read(sort, undefined), 'created_at');
  t.is(read(sort, ''), 'created_at');
  t.is(read(sort, 'Subject'), 'subject');
  t.is(query(sort)('id; DROP TABLE x'), 'x must be one of: created_at, subject');
  t.is(read(param.order(), undefined), 'desc');
  t.is(read(param.order('asc'), 'DESC'), 'desc');
  t.is(query(param.order())('up'), 'x must be one of: asc, desc');
});

test('a date as a bound covers the whole day, a timestamp is exact', (t) => {
  t.is(read(param.dayOrTime('from'), '2026-11-21'), '2026-11-21T00:00:00.000Z');
  t.is(read(param.dayOrTime('to'), '2026-11-21'), '2026-11-21T23:59:59.999Z');
  t.is(read(param.dayOrTime('to'), '2026-11-21T09:30:00+02:00'), '2026-11-21T07:30:00.999Z');
  t.is(read(param.dayOrTime('to'), '2026-11-21T09:30:00.5+02:00'), '2026-11-21T07:30:00.500Z');
  t.is(read(param.dayOrTime('to'), '2026-11-21T09:30:00 02:00'), '2026-11-21T07:30:00.999Z', 'an unencoded +');
  t.is(read(param.dayOrTime('from', 'America/New_York'), '2026-03-08'), '2026-03-08T05:00:00.000Z');
  t.is(read(param.dayOrTime('to', 'America/New_York'), '2026-03-08'), '2026-03-09T03:59:59.999Z', 'a day of 23 hours');
  t.is(read(param.dayOrTime('to'), ''), undefined);
  for (const bad of ['yesterday', '2026-02-30', '2026']) {
    t.is(query(param.dayOrTime('from'))(bad), 'x must be an ISO 8601 date or timestamp');
  }
  t.is(read(param.day(), '2026-11-21T09:30:00Z'), '2026-11-21');
  t.is(query(param.day())('2026-02-30'), 'x must be a date (YYYY-MM-DD)');
});

test('a required parameter rejects absence and emptiness', (t) => {
  const id = param.required(param.id());
  t.is(read(id, '7'), 7);
  t.is(query(id)(undefined), 'x is required');
  t.is(query(id)(''), 'x is required');
  t.is(refusal(z.object({ x: id }), {}), 'x is required');
});
