// The command line with several tenants, selected by --tenant.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { makeTenants } from '../_tenants.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function place(t: ExecutionContext, given: Parameters<typeof makeTenants>[1]) {
  const { env } = await makeTenants(t, given);
  return (...args: string[]): Promise<Ran> =>
    new Promise((done) => {
      const options = { env: { PATH: process.env['PATH'], ...env } };
      execFile(process.execPath, [resolve('cli.js'), ...args], options, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
}

test('a command works only with the tenant it names', async (t) => {
  const cli = await place(t, { acme: {}, beta: {} });
  const add = ['staff', 'add', 'Ada Byron', '--email', 'ada@example.com'];
  t.deepEqual(await cli(...add), { code: 1, out: '', err: 'Specify the tenant: --tenant acme or beta\n' });
  t.regex((await cli(...add, '--tenant', 'acme')).out, /^ada@example\.com can sign in with the password \S+\n$/);
  // The same address is available in the other tenant.
  t.regex((await cli('--tenant', 'beta', ...add)).out, /^ada@example\.com can sign in with the password/);
});

test('migrate updates every tenant and names unreachable ones', async (t) => {
  const cli = await place(t, { acme: {}, gone: { DATABASE_URL: 'mysql://nobody:canary@127.0.0.1:1/gone' }, beta: {} });
  const { code, out, err } = await cli('migrate');
  t.is(code, 1);
  t.is(out, 'acme: The database is up to date\nbeta: The database is up to date\n');
  t.regex(err, /^gone: .*ECONNREFUSED/);
  t.false(err.includes('canary'));
});
