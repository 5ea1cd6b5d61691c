// SEC-20: access revoked on one process ends on all of them within two seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { createApiKey, endSession, openSession, revokeApiKey } from '@keelson/modules/accounts';
import { Company, createCompany, createEmployee, Employee, updateEmployee } from '@keelson/modules/directory';
import test from 'ava';
import { readConfig } from '../../config/config.ts';
import type { App } from '../../core/plugin/app.ts';
import { grantAccess } from '../../modules/accounts/sessions/access-token.ts';
import { freePort, startNode } from './_node.ts';
import { engine, makePlace } from './_place.ts';

type Work = Context<undefined>;
type EmployeeRow = Awaited<ReturnType<typeof createEmployee>>;

/** A credential, its revocation, and the expected refusal. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  take(ctx: Work): Promise<unknown>;
  isGone(status: number, body: string): boolean;
}

/**
 * Sessions and keys are cached for two seconds; the request that notices takes a little longer on a slow
 * machine.
 */
const LIMIT_MS = 5000;
const refused = (status: number) => status === 401;

test.serial(
  `revoking a session, key, permission, employee or company takes effect on other processes (SEC-20, ${engine})`,
  async (t) => {
    const place = await makePlace(t);
    // Tokens contain their issuer, so both processes need the same base URL.
    const BASE_URL = readConfig(place.env).baseUrl;
    const node = startNode(t, { env: { ...place.env, BASE_URL } }, await freePort());
    await node.ready();
    const ask = async ({ path, token }: Case) => {
      const answer = await fetch(node.url + path, { headers: { Authorization: `Bearer ${token}` } });
      return { status: answer.status, body: await answer.text() };
    };
    await place.open(async (app) => {
      const cases = await makeCases(app);
      for (const each of cases) t.is((await ask(each)).status, 200, each.name);
      const took = cases.map(async (each) => {
        // The other process has just cached it, for as long as allowed.
        await ask(each);
        await app.system().transaction(each.take);
        const since = performance.now();
        for (;;) {
          const { status, body } = await ask(each);
          const ms = performance.now() - since;
          if (each.isGone(status, body)) return { name: each.name, ms };
          if (ms > LIMIT_MS) throw new Error(`${each.name} is still valid after ${Math.round(ms)} ms`);
          await sleep(20);
        }
      });
      const figures = await Promise.all(took);
      t.log(`SEC-20 ${engine}: ${figures.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`).join(', ')}`);
    });
  },
);

async function makeCases(app: App): Promise<Case[]> {
  const session = (row: EmployeeRow) => app.system().transaction((ctx) => openSession(ctx, row));
  const employeeCase = async (
    name: string,
    take: (ctx: Work, row: EmployeeRow, session_id: number) => Promise<unknown>,
    isGone: Case['isGone'] = refused,
  ): Promise<Case> => {
    const row = await app.system().transaction((ctx) => makeEmployee(ctx, name));
    const opened = await session(row);
    const { access_token: token } = grantAccess(app.system(), opened);
    const path = '/helpdesk/api/v1/auth/session';
    return { name, path, token, take: (ctx) => take(ctx, row, opened.session_id), isGone };
  };
  const key = await app
    .system()
    .transaction((ctx) => createApiKey(ctx, { type: 'admin', name: 'Ends', permissions: ['tickets:read'] }));
  return [
    await employeeCase('session', (ctx, _row, session_id) => endSession(ctx, session_id)),
    await employeeCase(
      'permission',
      (ctx, row) => updateEmployee(ctx, row, { ismgr: false }),
      (_status, body) => body.includes('"ismgr":false'),
    ),
    await employeeCase('employee', (ctx, row) => updateEmployee(ctx, row, { status: 'Inactive' })),
    await employeeCase('password', async (ctx, { employee_number }) => {
      await ctx.db.update(Employee, { employee_number }, { access_version: 2 });
      changed(ctx, Employee);
    }),
    await employeeCase('company', async (ctx, { company_number }) => {
      await ctx.db.update(Company, { company_number }, { status: 'inactive' });
      changed(ctx, Company);
    }),
    {
      name: 'key',
      path: '/admin/api/v1/tickets.php',
      token: key.api_key,
      take: (ctx) => revokeApiKey(ctx, key.row.key_id),
      isGone: refused,
    },
  ];
}

/** Creates an employee in a new company. */
async function makeEmployee(ctx: Work, name: string): Promise<EmployeeRow> {
  const { company_number } = await createCompany(ctx, { customer: name });
  const person = { first_name: name, last_name: 'Ends', email: `${name}@example.com`, password_hash: null };
  return createEmployee(ctx, { ...person, company_number, ismgr: true });
}
