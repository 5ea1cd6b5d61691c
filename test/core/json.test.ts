import test from 'ava';
import { parseBody } from '../../packages/kit/json.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const read = (text: string, options?: { array?: boolean }) => parseBody(Buffer.from(text), options);

function refusal(body: string | Buffer, options?: { array?: boolean }): string {
  try {
    return `accepted ${JSON.stringify(parseBody(Buffer.from(body), options)).slice(0, 200)}`;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'invalid') return error.message;
    throw error;
  }
}

const NOT_OBJECT = 'Request body must be a JSON object';

test('an empty body is an empty object', (t) => {
  t.deepEqual(read(''), {});
  t.deepEqual(read(' \r\n'), {});
});

test('a body must be a JSON object', (t) => {
  for (const bad of [
    '{',
    '3',
    'null',
    '"a"',
    'true',
    '[]',
    '[{}]',
    '{a:1}',
    '{"a":1,}',
    '{"a":"\n"}',
    '{"a":"\0"}',
    "{'a':1}",
    '{} {}',
    '{"a":"',
    '{"a":"\\',
    '"',
    '\\',
  ]) {
    t.is(refusal(bad), NOT_OBJECT, bad);
  }
});

test('some routes also take an array', (t) => {
  t.deepEqual(read('[{"a":1}]', { array: true }), [{ a: 1 }]);
  t.is(refusal('3', { array: true }), 'Request body must be a JSON object or array');
});

test('invalid UTF-8 is rejected', (t) => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    t.is(
      refusal(Buffer.from([...Buffer.from('{"a":"'), ...bytes, ...Buffer.from('"}')])),
      'Request body must be UTF-8',
    );
  }
});

test('32 levels are read and 33 are not', (t) => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  t.notThrows(() => read(nested(32)));
  t.is(refusal(nested(33)), 'Request body must not be nested more than 32 levels deep');
  t.is(refusal('['.repeat(33)), NOT_OBJECT);
  t.deepEqual(read(`{"a":"${'['.repeat(100)}"}`), { a: '['.repeat(100) }, 'brackets in text do not count');
});

test('names and list items are counted', (t) => {
  const named = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));
  const listed = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 1) });
  t.notThrows(() => read(named(5000)));
  t.is(refusal(named(5001)), 'Request body must not have more than 5000 names');
  t.notThrows(() => read(listed(10_000)));
  t.is(refusal(listed(10_001)), 'Request body must not have more than 10000 list items');
  t.is(refusal(`{"a":[${'[],'.repeat(6000)}[]]}`), 'Request body must not have more than 10000 list items');
  t.notThrows(() => read(`[${'{"a":1,"b":[1]},'.repeat(14_000)}{}]`, { array: true }), 'lists may be larger');
  t.deepEqual(read(`{"a":"${':,'.repeat(20_000)}"}`), { a: ':,'.repeat(20_000) });
});

test('a body with far too much punctuation is rejected before it is parsed', (t) => {
  const most = 'Request body must not have more than 5000 names and 10000 list items';
  for (const piece of ['[', '{"a":', '{"":1},', '[],', '1,', '"a":1,']) {
    t.is(refusal(piece.repeat(100_000)), most, piece);
    t.is(refusal(`{"a":[${piece.repeat(100_000)}`), most, piece);
  }
  for (const text of ['"\\', '"\\","']) t.is(refusal(text.repeat(100_000)), NOT_OBJECT, text);
  t.deepEqual(read(`{"a":"${'\\"[{,:'.repeat(20_000)}"}`), { a: '"[{,:'.repeat(20_000) }, 'not in texts');
});

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

test('names that reach a prototype are rejected at any depth, escaped or not', (t) => {
  for (const name of FORBIDDEN) {
    const escapes = [
      name,
      name.replace(/^./, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
      name.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ];
    for (const written of escapes) {
      for (const body of [
        `{"${written}":{"x":1}}`,
        `{"a":[{"b":{"${written}" : 1}}]}`,
        `{"a":"\\"","${written}"\n:null}`,
      ]) {
        t.is(refusal(body), 'Request body has a forbidden property name', body);
      }
    }
    t.deepEqual(read(`{"a":"${name}"}`), { a: name }, 'as a value it is only text');
    t.notThrows(() => read(`{"${name}s":1,"x${name}":2}`));
  }
  t.is(refusal('{"\\u005f_proto__":1}'), 'Request body has a forbidden property name');
});

test('the last of duplicate names wins', (t) => {
  t.deepEqual(read('{"a":1,"a":2}'), { a: 2 });
});

test('numbers beyond double precision are rejected by name', (t) => {
  t.is(refusal('{"a":1e400}'), 'a must be a smaller number');
  t.is(refusal('{"a":{"b":[0,-1E999]}}'), 'a.b[1] must be a smaller number');
  t.is(refusal(`{"a":${'9'.repeat(400)}}`), 'a must be a smaller number');
  t.is(refusal('{"<b>":1e400}'), 'Request body must be a smaller number');
  t.deepEqual(read('{"a":1e300,"b":1.5e-3,"c":-0.5,"d":"1e400"}'), { a: 1e300, b: 0.0015, c: -0.5, d: '1e400' });
});

test('NUL and lone surrogates are rejected by name, pairs are text', (t) => {
  t.is(refusal('{"subject":"a\\u0000b"}'), 'subject must not contain NUL or unpaired surrogates');
  t.is(refusal('{"a":["\\ud83d"]}'), 'a[0] must not contain NUL or unpaired surrogates');
  t.is(refusal('{"a\\u0000":1}'), 'Request body has a name with NUL or unpaired surrogates');
  t.deepEqual(read('{"a":"\\ud83d\\ude00","b":"C:\\\\u0000"}'), { a: '😀', b: 'C:\\u0000' });
});

testProp(
  'what JSON writes is read back unchanged',
  [fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 }))],
  (t, value) => {
    const text = JSON.stringify(value);
    if (FORBIDDEN.some((name) => text.includes(name)) || text.includes('\\u')) return t.pass();
    return t.deepEqual(read(text), JSON.parse(text));
  },
);

testProp(
  'rubbish is refused in a sentence, never with another error',
  [fc.uint8Array({ maxLength: 200 })],
  (t, bytes) => {
    t.regex(refusal(Buffer.from(bytes)), /^(?:Request body must|accepted)/);
  },
);

testProp(
  'broken JSON is refused in a sentence',
  [
    fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        ':',
        ',',
        '1',
        'e',
        '9',
        '\\u0000',
        '\\ud800',
        '"a"',
        '__proto__',
        ' ',
      ),
      { maxLength: 80 },
    ),
  ],
  (t, parts) => {
    t.regex(refusal(parts.join('')), /^(?:Request body |accepted|\w+ must)/);
  },
  { numRuns: 2000 },
);
