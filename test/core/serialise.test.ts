import test from 'ava';
import { z } from 'zod';
import { id, table, text, when } from '../../packages/database/schema/table.ts';
import { compileSerialiser } from '../../packages/kit/serialise.ts';

const at = '2026-11-21T09:30:00.123Z';

test('only listed keys are returned', (t) => {
  const serialise = compileSerialiser(z.object({ a: z.int(), b: z.string() }));
  t.deepEqual(serialise({ b: 'x', password_hash: 'y', a: 1 }), { a: 1, b: 'x' });
  t.deepEqual(Object.keys(serialise({ b: 'x', a: 1 }) as object), ['a', 'b']);
});

test('keys are treated as data', (t) => {
  const odd = [`it's "odd"`, '"]; throw new Error("run"); //', '${1}', '\\', '\u2028', 'a-b'];
  const serialise = compileSerialiser(z.object(Object.fromEntries(odd.map((key) => [key, z.int()]))));
  const row = Object.fromEntries(odd.map((key, i) => [key, i]));
  t.deepEqual(serialise({ ...row, more: 1 }), row);
  t.throws(() => serialise({}), { message: `The response lacks ${odd[0]}` });
});

test('filtering applies at every depth', (t) => {
  const inner = z.object({ a: z.int() });
  const serialise = compileSerialiser(
    z.object({
      one: inner,
      many: z.array(inner),
      none: inner.nullable(),
      maybe: inner.optional(),
      map: z.record(z.string(), inner),
    }),
  );
  const leak = { a: 1, secret: 2 };
  t.is(
    JSON.stringify(serialise({ one: leak, many: [leak, leak], none: null, map: { x: leak } })),
    '{"one":{"a":1},"many":[{"a":1},{"a":1}],"none":null,"map":{"x":{"a":1}}}',
  );
});

test('timestamps lose their milliseconds unless the shape keeps them', (t) => {
  const serialise = compileSerialiser(
    z.object({
      plain: z.iso.datetime(),
      exact: z.iso.datetime({ precision: 3 }),
      none: z.iso.datetime().nullable(),
      text: z.string(),
    }),
  );
  t.deepEqual(serialise({ plain: at, exact: at, none: null, text: at }), {
    plain: '2026-11-21T09:30:00Z',
    exact: at,
    none: null,
    text: at,
  });
});

test('a table’s own shape is supported', (t) => {
  const Thing = table('thing', { thing_id: id(), name: text(20), secret: text(20).hidden(), created_at: when() });
  const serialise = compileSerialiser(Thing.shape);
  t.deepEqual(serialise({ thing_id: 1, name: 'a', secret: 's', created_at: at }), {
    thing_id: 1,
    name: 'a',
    created_at: '2026-11-21T09:30:00Z',
  });
});

test('a missing column is named', (t) => {
  const serialise = compileSerialiser(z.object({ items: z.array(z.object({ a: z.int(), b: z.int().optional() })) }));
  t.deepEqual(serialise({ items: [{ a: 1 }] }), { items: [{ a: 1 }] });
  t.throws(() => serialise({ items: [{ b: 1 }] }), { message: 'The response lacks items[].a' });
  t.throws(() => serialise({ items: null }), { message: 'items must be a list' });
  t.throws(() => serialise(undefined), { message: 'The response must be an object' });
  t.throws(() => compileSerialiser(z.object({ at: z.iso.datetime() }))({ at: null }), {
    message: 'at must be a timestamp',
  });
});

test('unions use the matching branch', (t) => {
  const cat = z.object({ kind: z.literal('cat'), lives: z.int() });
  const dog = z.object({ kind: z.literal('dog'), tricks: z.array(z.string()) });
  const serialise = compileSerialiser(z.array(z.union([z.string(), z.int(), cat, dog, z.null()])));
  t.deepEqual(serialise([1, 'a', null, { kind: 'cat', lives: 9, secret: 1 }]), [
    1,
    'a',
    null,
    { kind: 'cat', lives: 9 },
  ]);
  const told = compileSerialiser(z.discriminatedUnion('kind', [cat, dog]));
  t.deepEqual(told({ kind: 'dog', tricks: [], lives: 3 }), { kind: 'dog', tricks: [] });
  t.throws(() => told({ kind: 'cow' }), { message: 'The response matches no branch of its union' });
});

test('unknown values pass through, records cannot reach a prototype', (t) => {
  const serialise = compileSerialiser(z.object({ raw: z.unknown(), map: z.record(z.string(), z.unknown()) }));
  const map = JSON.parse('{"__proto__":{"x":1},"a":2}');
  t.is(
    JSON.stringify(serialise({ raw: { deep: [1] }, map })),
    '{"raw":{"deep":[1]},"map":{"__proto__":{"x":1},"a":2}}',
  );
  t.is(Reflect.get({}, 'x'), undefined);
});

test('an unsupported shape fails at start-up', (t) => {
  t.throws(() => compileSerialiser(z.object({ a: z.object({ b: z.date() }) })), {
    message: 'a.b: responses cannot contain a zod date',
  });
  t.throws(() => compileSerialiser(z.string().transform(Number)), { message: /pipe/ });
});

test('extra members are returned only if the shape declares them', (t) => {
  const open = compileSerialiser(z.object({ at: z.iso.datetime() }).catchall(z.union([z.string(), z.boolean()])));
  const row = JSON.parse('{"at":"2026-03-02T09:00:00.123Z","note":"x","done":true,"__proto__":"y"}');
  t.is(JSON.stringify(open(row)), '{"at":"2026-03-02T09:00:00Z","note":"x","done":true,"__proto__":"y"}');
  const loose = compileSerialiser(z.looseObject({ a: z.int() }));
  t.deepEqual(loose({ a: 1, secret: 2 }), { a: 1 });
});
