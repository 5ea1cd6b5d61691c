// The helpdesk surface, for a customer's employees. Responses are bare objects with named arrays, or `{ error }`.
import { cutTo } from '@keelson/kit/characters.ts';
import type { Problem } from '@keelson/kit/problem.ts';
import { surfaceApi } from '../plugin/route/route.ts';
import {
  paginationOf,
  type Access,
  type Answer,
  type Paging,
  type Surface,
  usualStatuses,
} from '../plugin/route/surface.ts';

export const assetLevels = ['None', 'Read Only', 'Modify'] as const;
export type AssetLevel = (typeof assetLevels)[number];

/** The signed-in employee. */
export interface Employee {
  readonly employee_number: number;
  readonly company_number: number;
  readonly site_number: number | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly company_name: string;
  readonly ismgr: boolean;
  readonly it_privileges: boolean;
  readonly can_create_tickets: boolean;
  readonly can_view_billing: boolean;
  readonly asset_edit: AssetLevel;
  readonly session_id: number;
  readonly via: 'cookie' | 'token';
}

// The helpdesk's status table has no 409 (N-11).
const statuses = { ...usualStatuses, duplicate: 400 };

/** The helpdesk surface itself, for identities. */
export const helpdeskSurface: Surface<Employee> = Object.freeze<Surface<Employee>>({
  id: 'helpdesk',
  prefix: '/helpdesk/api/v1',
  pageSize: { names: ['per_page', 'limit'], default: 20, max: 100 },
  challenge: { 'WWW-Authenticate': 'Bearer' },
  security: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token from POST /auth/login.' },
    session: { type: 'apiKey', in: 'cookie', name: 'HELPDESK_{TENANT_SLUG}', description: 'The browser session.' },
  },
  holds: () => false,
  company: (actor: Employee) => actor.company_number,
  // First and last name may have 255 characters each, but a stored author has 255 in total.
  author: (actor: Employee) =>
    ({ type: 'employee', id: actor.employee_number, name: cutTo(employeeName(actor), 255) }) as const,
  charges: (actor: Employee) => [
    { bucket: `h:${actor.via}:${actor.session_id}`, perMinute: actor.via === 'cookie' ? 300 : 120 },
    // A ceiling across the employee's sessions, each of which has its own limit.
    { bucket: `h:employee:${actor.employee_number}`, perMinute: 3000 },
  ],
  principal: (actor: Employee) => `employee:${actor.employee_number}`,
  item: (method: string, value: unknown) =>
    method === 'GET' || method === 'HEAD' ? value : { success: true, ...(value as object) },
  list: (key: string, rows: readonly unknown[], paging: Paging) => ({
    [key]: rows,
    pagination: paginationOf(paging, 'limit'),
  }),
  all: (key: string, rows: readonly unknown[]) => ({ [key]: rows }),
  removed: (): Answer => ({ status: 204, body: undefined }),
  problem: (problem: Problem): Answer => ({
    status: statuses[problem.kind],
    body: { error: problem.message, ...problem.extra },
  }),
});

/** Declares routes and paging of the helpdesk surface, `/helpdesk/api/v1`. */
export const helpdesk = surfaceApi(helpdeskSurface);

/** Returns first and last name as shown to users. */
export function employeeName(actor: { first_name: string; last_name: string }): string {
  return `${actor.first_name} ${actor.last_name}`.trim();
}

const rule = (title: string, allows: (actor: Employee) => boolean, refusal?: string): Access<Employee> =>
  Object.freeze(refusal ? { title, allows, refusal } : { title, allows });

/** Access for any signed-in employee. */
export const signedIn = rule('signed in', () => true);
/** Access for managers of a group (`ismgr`, Z-02). */
export const manager = rule('manager', (actor) => actor.ismgr, 'Manager role required');
/** Access for employees who administer the company's users (`it_privileges`, Z-02). */
export const itAdmin = rule('IT admin', (actor) => actor.it_privileges, 'IT admin privilege required');
/** Access for employees who may see what their company pays (`can_view_billing`, Z-09). */
export const seesBilling = rule(
  'can_view_billing',
  (actor) => actor.can_view_billing,
  'You do not have access to billing',
);
/** Access for employees who may create tickets (Z-06). */
export const ticketCreator = rule(
  'can_create_tickets',
  (actor) => actor.can_create_tickets,
  'You do not have permission to create tickets',
);
