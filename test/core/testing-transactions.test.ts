// What must not happen inside a transaction is logged as an error in tests, which fails them.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { Client } from 'undici';
import { createLogger } from '../../packages/log/log.ts';
import { hashPassword, verifyPassword } from '../../packages/security/password.ts';

test('hashing a password and asking another server inside a transaction are errors', async (t) => {
  const errors: string[] = [];
  const write = (line: string) => {
    if (line.includes('inside a transaction')) errors.push((JSON.parse(line) as { msg: string }).msg);
  };
  const { app, url } = await startApp(t, { log: createLogger({ level: 'error', destination: { write } }) });
  const other = new Client(url);
  t.teardown(() => other.close());
  const work = async () => {
    await verifyPassword('a long walk', await hashPassword('a long walk', 4), 4);
    const answer = await other.request({ method: 'GET', path: '/health' });
    await answer.body.dump();
  };
  await work();
  t.deepEqual(errors, []);
  await app.system().transaction(work);
  t.deepEqual(errors, [
    'A password was hashed inside a transaction',
    'A password was compared inside a transaction',
    'A request to another server inside a transaction',
  ]);
});
