import test from 'ava';
import { KEY_PREFIXES, keyHash, keyPrefix, newKey, parseKey, tokenHash } from '../../packages/security/key.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

test('a key has a prefix, 38 random characters and a checksum of 6', (t) => {
  for (const prefix of KEY_PREFIXES) {
    const key = newKey(prefix);
    t.regex(key.slice(prefix.length), /^[0-9A-Za-z]{44}$/);
    t.true(key.startsWith(prefix));
    t.deepEqual(parseKey(key), { prefix });
    t.is(keyPrefix(key), key.slice(0, 12));
  }
  t.is(new Set(Array.from({ length: 500 }, () => newKey('vsa_'))).size, 500);
});

testProp('one wrong character is noticed', [fc.nat(47), fc.constantFrom(...'09AZaz_-é '.split(''))], (t, at, other) => {
  const key = newKey('crm_');
  fc.pre(key[at] !== other);
  t.is(parseKey(key.slice(0, at) + other + key.slice(at + 1)), undefined);
});

testProp('arbitrary text is no key', [fc.string({ unit: 'binary' })], (t, text) => {
  t.is(parseKey(text), undefined);
  t.is(parseKey(`vsa_${text}`), undefined);
});

test('another prefix, length or surrounding text is not a key', (t) => {
  const key = newKey('vsa_');
  for (const bad of [
    '',
    `${key}\n`,
    ` ${key}`,
    `${key}0`,
    key.slice(0, -1),
    key.replace('vsa_', 'crm_'),
    key.replace('vsa_', 'xyz_'),
    key.toUpperCase(),
  ])
    t.is(parseKey(bad), undefined, bad);
  const live = newKey('pk_live_');
  t.is(parseKey(live.replace('live', 'test')), undefined);
});

test('a key is stored hashed with a pepper, a token as its hash', (t) => {
  const key = newKey('vsa_');
  t.regex(keyHash(key, Buffer.alloc(32, 1)), /^[0-9a-f]{64}$/);
  t.is(keyHash(key, Buffer.alloc(32, 1)), keyHash(key, Buffer.alloc(32, 1)));
  t.not(keyHash(key, Buffer.alloc(32, 1)), keyHash(key, Buffer.alloc(32, 2)));
  t.is(tokenHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
