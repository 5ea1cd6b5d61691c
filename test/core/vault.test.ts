import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@keelson/core';
import test from 'ava';
import { loadMasterKey, openVault } from '../../packages/security/vault.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const vault = openVault(randomBytes(32));

testProp(
  'what is sealed opens again with its context',
  [fc.string({ unit: 'binary' }), fc.string()],
  (t, plain, context) => {
    t.is(vault.open(vault.seal(plain, context), context), Buffer.from(plain).toString());
  },
);

testProp('another context does not open it', [fc.string(), fc.string(), fc.string()], (t, plain, one, two) => {
  fc.pre(Buffer.from(one).toString() !== Buffer.from(two).toString());
  t.throws(() => vault.open(vault.seal(plain, one), two));
});

test('no modified envelope opens', (t) => {
  const envelope = vault.seal('hunter2', 'tenant/1/asset/5/password');
  for (let i = 0; i < envelope.length; i++) {
    const changed = envelope.slice(0, i) + (envelope[i] === 'A' ? 'B' : 'A') + envelope.slice(i + 1);
    t.throws(() => vault.open(changed, 'tenant/1/asset/5/password'), undefined, changed);
  }
  for (const bad of [
    '',
    'v1',
    'v1..',
    `${envelope}A`,
    `${envelope}=`,
    envelope.slice(0, -1),
    envelope.slice(0, 20),
    'hunter2',
  ])
    t.throws(() => vault.open(bad, 'tenant/1/asset/5/password'), undefined, bad);
});

test('encrypting the same text twice gives different envelopes, and none reveals it', (t) => {
  const envelopes = Array.from({ length: 200 }, () => vault.seal('canary', 'c'));
  t.is(new Set(envelopes).size, 200);
  for (const envelope of envelopes) {
    t.regex(envelope, /^v1\.[0-9a-f]{8}\.[\w-]+$/);
    t.false(Buffer.from(envelope.split('.')[2]!, 'base64url').includes('canary'));
  }
});

test('a previous key opens old envelopes until it is dropped; new ones use the new key', (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const envelope = openVault(old).seal('secret', 'c');
  const rotated = openVault(fresh, [old]);
  t.is(rotated.open(envelope, 'c'), 'secret');
  const again = rotated.seal('secret', 'c');
  t.is(openVault(fresh).open(again, 'c'), 'secret');
  const lost = { instanceOf: Problem, message: /stored with a master key that was given up: enter it again/ };
  t.throws(() => openVault(fresh).open(envelope, 'c'), lost);
  t.throws(() => openVault(old).open(again, 'c'), lost);
});

test('derived keys differ by purpose and master key, and are stable', (t) => {
  const key = randomBytes(32);
  t.deepEqual(openVault(key).derive('pepper'), openVault(key).derive('pepper'));
  t.notDeepEqual(openVault(key).derive('pepper'), openVault(key).derive('token'));
  t.notDeepEqual(openVault(key).derive('pepper'), vault.derive('pepper'));
  t.is(vault.derive('x').length, 32);
  t.is(vault.derive('x', 64).length, 64);
  t.throws(() => openVault(randomBytes(16)), { message: /32 bytes/ });
});

function inFolder(run: (file: string, folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-vault-'));
  try {
    run(join(folder, 'data', 'master.key'), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the master key is created once, for this user only', (t) => {
  inFolder((file, folder) => {
    t.throws(() => loadMasterKey(file, { create: false }), { message: `Master key file ${file} does not exist` });
    const key = loadMasterKey(file, { create: true });
    t.is(key.length, 32);
    t.is(statSync(file).mode & 0o777, 0o600);
    t.deepEqual(loadMasterKey(file, { create: true }), key);
    t.deepEqual(loadMasterKey(file, { create: false }), key);
    t.is(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32);
    t.deepEqual(readdirSync(join(folder, 'data')), ['master.key']);
  });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot('a master key of someone else may be readable by their group only, as Kubernetes mounts it', (t) => {
  inFolder((file) => {
    const key = loadMasterKey(file, { create: true });
    chownSync(file, 65_534, 65_534);
    chmodSync(file, 0o440);
    t.deepEqual(loadMasterKey(file, { create: false }), key);
    for (const mode of [0o444, 0o460]) {
      chmodSync(file, mode);
      t.throws(() => loadMasterKey(file, { create: false }), { message: /run chmod 600/ });
    }
  });
});

test('a master key that others can read or guess is rejected with a clear message', (t) => {
  inFolder((file) => {
    loadMasterKey(file, { create: true });
    for (const mode of [0o640, 0o604, 0o660, 0o620]) {
      chmodSync(file, mode);
      t.throws(() => loadMasterKey(file, { create: true }), { message: /run chmod 600/ });
    }
    chmodSync(file, 0o600);
    for (const text of [
      '',
      'changeme',
      'A'.repeat(43),
      Buffer.alloc(32, 'ab').toString('base64'),
      randomBytes(16).toString('base64'),
    ]) {
      writeFileSync(file, text);
      const error = t.throws(() => loadMasterKey(file, { create: true }));
      t.true(error.message.startsWith(`Master key file ${file}`));
      t.false(error.message.includes('\n'));
    }
  });
});
