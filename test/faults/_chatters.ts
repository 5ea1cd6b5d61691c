// Employees who chat through several processes.
import { plus } from '@keelson/core';
import { createEmployee } from '@keelson/modules/directory';
import { EmployeeSession } from '../../modules/accounts/entities.ts';
import { grantAccess } from '../../modules/accounts/sessions/access-token.ts';
import { newId } from '../../packages/kit/random.ts';
import type { Place } from './_place.ts';

/** A person's tokens, one per process. */
export type Tokens = readonly string[];

/** Creates employees with access tokens and skips sign-in: hashing passwords would take longer than the test. */
export async function signInMany(place: Place, ports: readonly number[], count: number): Promise<Tokens[]> {
  const tokens: Tokens[] = [];
  await place.open(async (app) => {
    for (let i = 0; i < count; i++) {
      const own = await app.system().transaction(async (ctx) => {
        const company_number = place.companies[i % place.companies.length] ?? 0;
        const person = { first_name: 'Erin', last_name: `Example ${i}`, email: `chat${i}@example.com` };
        const { employee_number } = await createEmployee(ctx, { ...person, company_number });
        const life = { created_at: ctx.now, last_used_at: ctx.now, expires_at: plus(ctx.now, { hours: 1 }) };
        const session = { employee_number, token_hash: newId(), revoked_at: null, access_version: 1, ...life };
        const session_id = await ctx.db.insertReturningId(EmployeeSession, session);
        return ports.map((port) => {
          // A token is valid for one base URL only.
          const config = { ...app.config, baseUrl: `http://127.0.0.1:${port}` };
          return grantAccess({ ...ctx, app: { ...app, config } }, { session_id, employee_number }).access_token;
        });
      });
      tokens.push(own);
    }
  });
  return tokens;
}
