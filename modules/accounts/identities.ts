import { type Admin, type App, type CrmKey, type EmployeeActor, type TechnicianActor } from '@keelson/core';
import {
  adminSurface,
  crmSurface,
  helpdeskSurface,
  identity,
  pagesSurface,
  type Credentials,
} from '@keelson/core/system';
import { accessClaims } from './sessions/access-token.ts';
import { employeeCookie, cookieValues, technicianCookie } from './sessions/cookie.ts';
import { adminKey, crmKey } from './keys/live-key.ts';
import { employeeByCookie, employeeBySession } from './sessions/live-session.ts';
import { technicianByCookie } from './sessions/technician-session.ts';

// How each surface knows its callers. A credential that is there and not good is refused, whatever else came along;
// so is one in the address, where it ends up in histories and logs (D4).

type Found<Actor> = Promise<Actor | 'refused' | undefined>;

export default [
  identity<EmployeeActor>(helpdeskSurface, 'access token', 'header', employeeByToken),
  identity<EmployeeActor>(helpdeskSurface, 'session cookie', 'cookie', employeeByItsCookie),
  identity<Admin>(adminSurface, 'API key', 'header', adminByKey),
  identity<Admin>(adminSurface, 'session cookie', 'cookie', technicianByItsCookie),
  identity<CrmKey>(crmSurface, 'API key', 'header', crmByKey),
  identity<TechnicianActor>(pagesSurface, 'session cookie', 'cookie', technicianByItsCookie),
];

const IN_ADDRESS =
  /(?:^|&)(?:api_?key|x-api-key|access_token)=|=(?:vsa_|crm_|pk_live_|pk_test_)[0-9A-Za-z]{44}(?:&|$)/i;

async function employeeByToken(app: App, from: Credentials): Found<EmployeeActor> {
  const carried = bearerOf(from);
  if (carried === undefined || carried === 'refused') return carried;
  const claims = accessClaims(app, carried.secret);
  const employee = claims && (await employeeBySession(app, Number(claims.sid)));
  return employee && String(employee.employee_number) === claims.sub ? employee : 'refused';
}

async function employeeByItsCookie(app: App, from: Credentials): Found<EmployeeActor> {
  const carried = cookieOf(from, employeeCookie(app));
  if (carried === undefined || carried === 'refused') return carried;
  return (await employeeByCookie(app, carried.secret)) ?? 'refused';
}

async function adminByKey(app: App, from: Credentials): Found<Admin> {
  const carried = bearerOf(from);
  if (carried === undefined || carried === 'refused') return carried;
  return (await adminKey(app, carried.secret, from.ip)) ?? 'refused';
}

async function crmByKey(app: App, from: Credentials): Found<CrmKey> {
  const key = from.header('x-api-key');
  if (key === undefined) return undefined;
  if (IN_ADDRESS.test(from.query)) return 'refused';
  // A header sent twice arrives joined by a comma, which no key contains.
  return (await crmKey(app, key.trim(), from.ip)) ?? 'refused';
}

async function technicianByItsCookie(app: App, from: Credentials): Found<TechnicianActor> {
  const carried = cookieOf(from, technicianCookie(app));
  if (carried === undefined || carried === 'refused') return carried;
  return (await technicianByCookie(app, carried.secret)) ?? 'refused';
}

type Carried = { readonly secret: string } | 'refused' | undefined;

function bearerOf(from: Credentials): Carried {
  const header = from.header('authorization');
  if (header === undefined) return undefined;
  if (IN_ADDRESS.test(from.query)) return 'refused';
  const [scheme = '', secret = '', more] = header.trim().split(/ +/);
  return scheme.toLowerCase() === 'bearer' && secret !== '' && more === undefined ? { secret } : 'refused';
}

function cookieOf(from: Credentials, name: string): Carried {
  const [secret, second] = cookieValues(from, name);
  if (secret === undefined) return undefined;
  return second !== undefined || IN_ADDRESS.test(from.query) ? 'refused' : { secret };
}
