import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { contextOf, hashInTurn } from '@keelson/core/system';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { Problem } from '../../packages/kit/problem.ts';
import { theSystem } from '../../packages/log/activity.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../../packages/security/password.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const COST = 4;

test('a password verifies against its hash only', async (t) => {
  const hash = await hashPassword('correct horse battery', COST);
  t.regex(hash, /^\$2b\$04\$.{53}$/);
  t.deepEqual(await verifyPassword('correct horse battery', hash, COST), { ok: true, rehash: false });
  for (const wrong of ['', 'correct horse batterY', 'correct horse battery ', 'correct horse battery\0'])
    t.deepEqual(await verifyPassword(wrong, hash, COST), { ok: false, rehash: false });
});

testProp(
  'every character counts, also behind the 72nd byte and a zero byte',
  [fc.string({ unit: 'binary', minLength: 0, maxLength: 100 }), fc.constantFrom('a', 'ä', '\0', '😀')],
  async (t, text, more) => {
    const hash = await hashPassword(`${'x'.repeat(80)}\0${text}`, COST);
    t.true((await verifyPassword(`${'x'.repeat(80)}\0${text}`, hash, COST)).ok);
    t.false((await verifyPassword(`${'x'.repeat(80)}\0${text}${more}`, hash, COST)).ok);
  },
  { numRuns: 20 },
);

test('both Unicode forms of an umlaut are the same password', async (t) => {
  const hash = await hashPassword('gru\u0308ße aus ko\u0308ln', COST);
  t.true((await verifyPassword('gr\u00fcße aus k\u00f6ln', hash, COST)).ok);
});

test('a changed cost rehashes, after a correct password only', async (t) => {
  const hash = await hashPassword('correct horse battery', COST);
  t.deepEqual(await verifyPassword('correct horse battery', hash, 5), { ok: true, rehash: true });
  t.deepEqual(await verifyPassword('wrong', hash, 5), { ok: false, rehash: false });
});

/** Prints the CPU time of verifying a wrong password, in microseconds: of a known user and of an unknown one. */
const script = `
  import { hashPassword, verifyPassword } from './packages/security/password.ts';
  const hash = await hashPassword('correct horse battery', 10);
  async function work(known) {
    const before = process.cpuUsage();
    await verifyPassword('wrong', known, 10);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }
  const least = [Infinity, Infinity];
  for (let i = 0; i < 5; i++)
    for (const [at, known] of [hash, undefined].entries()) least[at] = Math.min(least[at], await work(known));
  console.log(JSON.stringify(least));`;

test('an unknown user costs as much as a known one', async (t) => {
  t.deepEqual(await verifyPassword('wrong', undefined, COST), { ok: false, rehash: false });
  // In its own process, because CPU time is counted per process.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [known, unknown] = JSON.parse(stdout);
  t.log(`${known} µs known, ${unknown} µs unknown`);
  // A cost that differs by one is a factor of two. The bench measures whether people can tell the two apart (sign-in).
  t.true(unknown > known / 1.5 && unknown < known * 1.5);
});

test.serial(
  '64 hashes of an address wait; more of it get an error, and other addresses and people do not',
  async (t) => {
    const { app } = await startApp(t);
    const from = (ip: string, author = theSystem) => {
      const ctx = contextOf({ app, actor: undefined, author, request: { id: '', ip } });
      return hashInTurn(ctx, 'correct horse battery');
    };
    const room = availableParallelism() + 64;
    const all = Promise.allSettled(Array.from({ length: room + 12 }, (_, at) => from(`2001:db8::${at}`)));
    const others = [from('2001:db8:0:1::1'), from('2001:db8::1', { type: 'technician', id: 1, name: 'Ann' })];
    const first = await Promise.race([all, Promise.all(others)]);
    t.is(first.length, others.length, 'served before the rest of the address');
    const refused = (await all).filter((one) => one.status === 'rejected');
    t.is(refused.length, 12);
    for (const { reason } of refused) {
      t.true(reason instanceof Problem);
      t.is(reason.kind, 'too-many');
      t.truthy(reason.headers['Retry-After']);
    }
    await t.notThrowsAsync(from('2001:db8::1'));
  },
);

test('the policy counts code points', (t) => {
  const policy = { email: 'anna@example.com', minimum: 12 };
  t.is(passwordProblem('😀'.repeat(12), policy), undefined);
  t.regex(passwordProblem('😀'.repeat(11), policy) ?? '', /at least 12/);
  t.is(passwordProblem('xyzw'.repeat(32), policy), undefined);
  t.regex(passwordProblem('xyzw'.repeat(32) + 'x', policy) ?? '', /at most 128/);
  t.is(passwordProblem('lower only words', policy), undefined);
  t.regex(passwordProblem('k3!xQ', { minimum: 4 }) ?? '', /at least 8/);
  t.is(passwordProblem('k3!xQ99z', { minimum: 4 }), undefined);
});

test('the email, the current and common passwords are rejected', (t) => {
  const policy = { email: 'Anna.Long@example.com', minimum: 12 };
  t.is(
    passwordProblem('anna.long@EXAMPLE.com', { ...policy, field: 'new_password' }),
    'new_password must not be the email address',
  );
  t.is(
    passwordProblem('blue kites at noon', { ...policy, current: 'blue kites at noon' }),
    'password must differ from the current one',
  );
  for (const known of ['123456789qwerty', '1Qaz2wsx3edC', 'qwertyuiop123', 'unbelievable', 'Administrator'])
    t.is(passwordProblem(known, policy), 'password is among the most common passwords', known);
  for (const known of ['password', 'Password1', '12345678', 'iloveyou', 'qwerty123'])
    t.is(passwordProblem(known, { minimum: 8 }), 'password is among the most common passwords', known);
});

test('at least 10,000 common passwords are refused', (t) => {
  const leaked: string[] = JSON.parse(
    readFileSync(new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')), 'utf8'),
  );
  const refused = leaked.filter((each) => passwordProblem(each, { minimum: 8 })?.includes('most common'));
  t.true(refused.length >= 10_000);
  t.is(refused.length, leaked.filter((each) => each.length >= 8).length);
});
