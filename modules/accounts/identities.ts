import type { Admin, App, CrmCaller, CrmKey, EmployeeActor } from '@keelson/core';
import {
  type TechnicianActor,
  adminSurface,
  bearerOf,
  CREDENTIAL_IN_QUERY,
  crmSurface,
  helpdeskSurface,
  identity,
  pagesSurface,
  type Credentials,
} from '@keelson/core/system';
import { adminKey, crmKey } from './keys/live-key.ts';
import { accessClaims } from './sessions/access-token.ts';
import { employeeCookie, cookieValues, technicianCookie } from './sessions/cookie.ts';
import { employeeByCookie, employeeBySession } from './sessions/live-session.ts';
import { technicianByCookie } from './sessions/technician-session.ts';

// Identifies the callers of each surface. An invalid credential is refused even when a valid one comes with it.
// Credentials in the URL are refused too, because they would end up in histories and logs (SF-04).

type Found<Actor> = Promise<Actor | 'refused' | undefined>;

export default [
  identity<EmployeeActor>(helpdeskSurface, 'access token', 'header', employeeFromToken),
  identity<EmployeeActor>(helpdeskSurface, 'session cookie', 'cookie', employeeFromCookie),
  identity<Admin>(adminSurface, 'API key', 'header', adminFromKey),
  identity<Admin>(adminSurface, 'session cookie', 'cookie', technicianFromCookie),
  identity<CrmCaller>(crmSurface, 'API key', 'header', crmFromKey),
  identity<CrmCaller>(crmSurface, 'session cookie', 'cookie', technicianInConsole),
  identity<TechnicianActor>(pagesSurface, 'session cookie', 'cookie', technicianFromCookie),
];

async function employeeFromToken(app: App, from: Credentials): Found<EmployeeActor> {
  const credential = bearerOf(from);
  if (credential === undefined || credential === 'refused') return credential;
  const claims = accessClaims(app, credential.secret);
  const employee = claims && (await employeeBySession(app, Number(claims.sid), from));
  return employee && String(employee.employee_number) === claims.sub ? employee : 'refused';
}

async function employeeFromCookie(app: App, from: Credentials): Found<EmployeeActor> {
  const credential = cookieOf(from, employeeCookie(app));
  if (credential === undefined || credential === 'refused') return credential;
  return (await employeeByCookie(app, credential.secret, from)) ?? 'refused';
}

async function adminFromKey(app: App, from: Credentials): Found<Admin> {
  const credential = bearerOf(from);
  if (credential === undefined || credential === 'refused') return credential;
  return (await adminKey(app, credential.secret, from)) ?? 'refused';
}

async function crmFromKey(app: App, from: Credentials): Found<CrmKey> {
  const key = from.header('x-api-key');
  if (key === undefined) return undefined;
  if (CREDENTIAL_IN_QUERY.test(from.query)) return 'refused';
  // A header sent twice arrives joined by a comma, which no key contains.
  return (await crmKey(app, key.trim(), from)) ?? 'refused';
}

// Other websites cannot send this header with a browser's cookies: their preflight is never granted.
async function technicianInConsole(app: App, from: Credentials): Found<TechnicianActor> {
  return from.header('x-console') === '1' ? technicianFromCookie(app, from) : undefined;
}

async function technicianFromCookie(app: App, from: Credentials): Found<TechnicianActor> {
  const credential = cookieOf(from, technicianCookie(app));
  if (credential === undefined || credential === 'refused') return credential;
  return (await technicianByCookie(app, credential.secret, from)) ?? 'refused';
}

type Credential = { readonly secret: string } | 'refused' | undefined;

function cookieOf(from: Credentials, name: string): Credential {
  const [secret, second] = cookieValues(from, name);
  if (secret === undefined) return undefined;
  return second !== undefined || CREDENTIAL_IN_QUERY.test(from.query) ? 'refused' : { secret };
}
