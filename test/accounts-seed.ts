// Seeds people who can sign in, and API keys.
import { type Role } from '@keelson/core/system';
import { backgroundDone, createApiKey, newHash, type KeyType } from '@keelson/modules/accounts';
import { createCompany, createEmployee, createTechnician } from '@keelson/modules/directory';
import type { TestApp } from '@keelson/testing';

export const password = 'a long walk by the sea';

let last = 0;

/** Returns a company name that no other test row has. */
export function unique(words: string): string {
  return `${words} ${++last}`;
}

export async function seedCompany(app: TestApp, customer = unique('Company')) {
  return app.run((ctx) => createCompany(ctx, { customer }));
}

export interface EmployeeSeed {
  readonly company_number?: number;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly ismgr?: boolean;
  readonly it_privileges?: boolean;
  readonly can_create_tickets?: boolean;
  readonly can_view_billing?: boolean;
  readonly asset_edit?: 'None' | 'Read Only' | 'Modify';
}

/** Creates an employee with the password `password`, in a new company unless one is given. */
export async function seedEmployee(app: TestApp, given: EmployeeSeed = {}) {
  const company_number = given.company_number ?? (await seedCompany(app)).company_number;
  const email = given.email ?? `e${++last}@example.com`;
  const password_hash = await newHash(app.app.system(), password, { email });
  const person = { first_name: 'Erin', last_name: 'Example', password_hash };
  return app.run((ctx) => createEmployee(ctx, { ...person, ...given, company_number, email }));
}

export interface SignedIn {
  readonly token: string;
  readonly refresh_token: string;
  /** Cookie as a browser returns it: `name=value`. */
  readonly cookie: string;
}

export async function signIn(app: TestApp, { email }: { email: string }): Promise<SignedIn> {
  const answer = await app.request('POST', '/helpdesk/api/v1/auth/login', { body: { username: email, password } });
  if (answer.status !== 200) throw new Error(`Sign-in responded ${answer.status}: ${answer.text}`);
  return {
    token: answer.body.access_token,
    refresh_token: answer.body.refresh_token,
    cookie: cookieOf(answer.headers),
  };
}

/** Creates a technician with the password `password`. */
export async function seedTechnician(app: TestApp, role: Role = 'administrator', email = `t${++last}@example.com`) {
  const password_hash = await newHash(app.app.system(), password, { email });
  return app.run((ctx) => createTechnician(ctx, { name: 'Terry Technician', email, role, password_hash }));
}

/** Signs a technician in through the page; returns the cookie. */
export async function signInOnPage(app: TestApp, { email }: { email: string }): Promise<string> {
  const answer = await postForm(app, '/admin/login', { email, password });
  if (answer.status !== 303) throw new Error(`Sign-in responded ${answer.status}: ${answer.text}`);
  return cookieOf(answer.headers);
}

/** Submits a form as a browser does. */
export function postForm(
  app: TestApp,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return app.request('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin', ...headers },
  });
}

export async function seedKey(app: TestApp, type: KeyType, permissions: readonly string[] = []) {
  return app.run((ctx) => createApiKey(ctx, { type, name: unique('Key'), permissions }));
}

/** Returns `name=value` of the first cookie set. */
export function cookieOf(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Stores uses of sessions only when a session is read for the second time, before the reader gets its row. */
export function storeUsesLate({ app }: TestApp, table: 'employee_session' | 'technician_session'): void {
  const { database } = app;
  const query = database.query.bind(database);
  const update = database.update.bind(database);
  const readAgain = Promise.withResolvers<void>();
  let reads = 0;
  Object.assign(database, {
    async update(...given: Parameters<typeof update>) {
      await readAgain.promise;
      return update(...given);
    },
    async query(statement: Parameters<typeof query>[0]) {
      const rows = await query(statement);
      if (statement.text.includes(table) && ++reads === 2) {
        readAgain.resolve();
        await backgroundDone(app);
      }
      return rows;
    },
  });
}
