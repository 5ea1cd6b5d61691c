// Callers of the access matrix, and their credentials.
import { unavailable } from '@keelson/core/kit';
import { adminSurface, crmSurface } from '@keelson/core/system';
import type { KeyType } from '@keelson/modules/accounts';
import type { TestApp, TestRequest } from '@keelson/testing';
import type { Route } from '../core/plugin/route/route.ts';
import { Logo } from '../modules/system/entities.ts';
import { seedEmployee, seedKey, seedTechnician, signIn, signInOnPage } from './accounts-seed.ts';
import { seedPayer } from './billing-seed.ts';
import { placeIn, seedCollector } from './collector-seed.ts';

/** Owner of a record: an employee, and also a technician. */
export interface Person {
  readonly user_id: number;
  readonly employee_number: number;
  readonly company_number: number;
  readonly ismgr: boolean;
}

export interface Caller {
  /** Owners of the caller's own records, and of foreign records. */
  readonly own: Person;
  readonly foreign: Person;
  /** Returns the credential for a request to this route. */
  readonly credential: (route: Route) => Promise<TestRequest>;
}

export interface World {
  readonly app: TestApp;
  /** Returns every caller of a surface, named as in access-matrix.md. */
  callers(surface: string): Readonly<Record<string, Caller>>;
  /** Sends a request with every permission; returns the id of the created record. */
  make(surface: 'admin' | 'crm', path: string, body: unknown): Promise<string | number>;
  /** Signs everyone in again: an operation may have ended their sessions. */
  renew(): Promise<void>;
}

/** A one-pixel image. */
const DOT = {
  content_type: 'image/png',
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  size: 70,
} as const;

/** Creates two companies, with every caller in the matrix. */
export async function makeWorld(app: TestApp): Promise<World> {
  const [here, there] = [await seedPayer(app), await seedPayer(app)];
  await app.app.database.insert(Logo, { ...DOT, created_at: app.clock.now() });
  const employee = (rights: object, { company_number } = here) => seedEmployee(app, { company_number, ...rights });
  const all = { ismgr: true, it_privileges: true, asset_edit: 'Modify', can_view_billing: true } as const;
  const people = {
    reader: await employee({ can_create_tickets: false }),
    employee: await employee({ asset_edit: 'Read Only' }),
    manager: await employee({ ismgr: true, asset_edit: 'Modify' }),
    'IT admin': await employee({ it_privileges: true }),
    elsewhere: await employee(all, there),
  };
  const technicians = {
    technician: await seedTechnician(app, 'technician'),
    administrator: await seedTechnician(app, 'administrator'),
  };
  const other = await seedTechnician(app, 'technician');
  const stranger = { ...(await employee(all, there)), user_id: other.user_id };
  const tokens: Record<string, TestRequest> = {};
  const renew = async () => {
    for (const [name, each] of Object.entries(people)) {
      const { token, cookie } = await signIn(app, each);
      tokens[name] = { token };
      if (name === 'employee') tokens["employee's cookie"] = { cookie };
    }
    for (const [name, each] of Object.entries(technicians)) tokens[name] = { cookie: await signInOnPage(app, each) };
  };
  await renew();

  const declared = (surface: string) =>
    app.app.plugins.flatMap((each) => each.permissions ?? []).filter((each) => each.surface === surface);
  const keys = new Map<string, Promise<string>>();
  const keyWith = (type: KeyType, permissions: readonly string[]): Promise<string> => {
    const name = [type, ...permissions].join();
    const made = keys.get(name) ?? seedKey(app, type, permissions).then(({ api_key }) => api_key);
    keys.set(name, made);
    return made;
  };
  /** Returns the permissions that the rule's name contains, or all others; if it contains none, returns all or none. */
  const rights = ({ access, surface }: Route, named: boolean) => {
    const words = new Set(access.title.split(/[\s(),]+/));
    const all = declared(surface.id).map(({ name }) => name);
    const own = all.filter((name) => words.has(name));
    if (own.length === 0) return named ? all : [];
    return named ? own : all.filter((name) => !own.includes(name));
  };
  const admin = (named: boolean) => async (route: Route) => ({ token: await keyWith('admin', rights(route, named)) });
  const crm = (named: boolean) => async (route: Route) => ({ key: await keyWith('crm_secret', rights(route, named)) });
  const anyCrm = () =>
    keyWith(
      'crm_secret',
      declared('crm').map(({ name }) => name),
    );
  const anyAdmin = () =>
    keyWith(
      'admin',
      declared('admin').map(({ name }) => name),
    );
  const signedIn = (name: string) => async () => tokens[name] ?? {};
  const inConsole = (name: string) => async () => ({ ...tokens[name], headers: { 'X-Console': '1' } });

  const ofHere = { own: { ...people.employee, user_id: technicians.administrator.user_id }, foreign: stranger };
  const ofTechnician = { ...ofHere, own: { ...ofHere.own, user_id: technicians.technician.user_id } };
  const caller = (credential: Caller['credential'], whose: Pick<Caller, 'own' | 'foreign'> = ofHere): Caller => ({
    ...whose,
    credential,
  });
  const person = (name: keyof typeof people) => {
    const foreign = name === 'elsewhere' ? ofHere.own : stranger;
    return caller(signedIn(name), { own: { ...ofHere.own, ...people[name] }, foreign });
  };
  const collector = await seedCollector(app, {
    ...(await placeIn(app, here.company_number)),
    name: 'of the matrix',
  });
  const nobody = caller(async () => ({}));
  const callers: Record<string, Record<string, Caller>> = {
    helpdesk: {
      nobody,
      reader: person('reader'),
      employee: person('employee'),
      manager: person('manager'),
      'IT admin': person('IT admin'),
      elsewhere: person('elsewhere'),
      'admin key': caller(async () => ({ token: await anyAdmin() })),
      'CRM key': caller(async () => ({ key: await anyCrm(), token: await anyCrm() })),
      technician: caller(signedIn('administrator')),
    },
    admin: {
      nobody,
      technician: caller(signedIn('technician'), ofTechnician),
      administrator: caller(signedIn('administrator')),
      'key without': caller(admin(false)),
      'key with': caller(admin(true)),
      'CRM key': caller(async () => ({ key: await anyCrm(), token: await anyCrm() })),
      employee: caller(signedIn('IT admin')),
      "employee's cookie": caller(signedIn("employee's cookie")),
      collector: caller(async () => ({ token: collector.token })),
    },
    crm: {
      nobody,
      'key without': caller(crm(false)),
      'key with': caller(crm(true)),
      'live key': caller(async () => ({ key: await keyWith('crm_public_live', []) })),
      'test key': caller(async () => ({ key: await keyWith('crm_public_test', []) })),
      'admin key': caller(async () => ({ key: await anyAdmin(), token: await anyAdmin() })),
      employee: caller(signedIn('IT admin')),
      technician: caller(signedIn('administrator')),
      'technician in the console': caller(inConsole('technician'), ofTechnician),
      'administrator in the console': caller(inConsole('administrator')),
      'employee in the console': caller(inConsole("employee's cookie")),
    },
    pages: { nobody, technician: caller(signedIn('technician')), employee: caller(signedIn("employee's cookie")) },
  };
  const make: World['make'] = async (surface, path, body) => {
    const credential = surface === 'crm' ? { key: await anyCrm() } : { token: await anyAdmin() };
    const prefix = surface === 'crm' ? crmSurface.prefix : adminSurface.prefix;
    const answer = await app.request('POST', prefix + path, { ...credential, body });
    if (answer.status === 503) throw unavailable();
    if (answer.status !== 201) throw new Error(`POST ${path} created nothing: ${answer.text}`);
    // A record's id is its first field.
    return Object.values<string | number>(answer.body.data)[0] ?? '';
  };
  return { app, make, renew, callers: (surface) => callers[surface] ?? {} };
}
