// The administrative surface, for technicians and vsa_ keys. Responses are `{ success, data }` or `{ success, error }`.
import type { Problem } from '@keelson/kit/problem.ts';
import type { Author } from '@keelson/log/activity.ts';
import { surfaceApi } from '../plugin/route/route.ts';
import {
  paginationOf,
  type Access,
  type Answer,
  type Charge,
  type Paging,
  type Permission,
  type Program,
  type Surface,
  usualStatuses,
} from '../plugin/route/surface.ts';

/** A technician's role. Only administrators change settings and accounts. */
export type Role = 'administrator' | 'technician';

/** A technician with a browser session. */
export interface Technician {
  readonly kind: 'technician';
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly session_id: number;
  /** Re-authenticated in this session, as secrets require. */
  readonly confirmed?: boolean;
}

/** An integration with a vsa_ key. */
export interface AdminKey {
  readonly kind: 'key';
  readonly key_id: number;
  readonly name: string;
  readonly permissions: ReadonlySet<string>;
  /** The role of the technician who granted the key, which it cannot exceed (SF-13). */
  readonly role: Role;
  /** May read stored credentials (SF-14). */
  readonly allow_reveal: boolean;
  readonly rate_limit_per_minute: number;
}

/** The caller on the administrative surface: a technician or a key. */
export type Admin = Technician | AdminKey;

/** Returns the rate limits of a technician's session, on any surface. */
export function technicianCharges({ session_id, user_id }: Technician): readonly Charge[] {
  return [
    { bucket: `a:session:${session_id}`, perMinute: 300 },
    // A ceiling across the technician's sessions, each of which has its own limit.
    { bucket: `a:technician:${user_id}`, perMinute: 3000 },
  ];
}

/** Permissions the role `technician` does not have (Z-24). */
const withheld: ReadonlySet<string> = new Set(['settings:write', 'billing:write']);

/** The administrative surface itself, for identities. */
export const adminSurface: Surface<Admin | Program> = Object.freeze<Surface<Admin | Program>>({
  id: 'admin',
  prefix: '/admin/api/v1',
  pageSize: { names: ['per_page'], default: 25, max: 100 },
  challenge: { 'WWW-Authenticate': 'Bearer' },
  security: {
    key: { type: 'http', scheme: 'bearer', description: 'A vsa_ key, or the token of a collector.' },
    session: { type: 'apiKey', in: 'cookie', name: 'SERVICE_{TENANT_SLUG}', description: 'The browser session.' },
  },
  holds: (actor: Admin | Program, permission: string) => {
    if (actor.kind === 'program') return false;
    if (actor.kind === 'key' && !actor.permissions.has(permission)) return false;
    return actor.role === 'administrator' || !withheld.has(permission);
  },
  company: () => undefined,
  author: (actor: Admin | Program): Author =>
    actor.kind === 'technician'
      ? { type: 'technician', id: actor.user_id, name: actor.name }
      : { type: 'api', id: actor.kind === 'key' ? actor.key_id : null, name: actor.name },
  charges: (actor: Admin | Program) =>
    actor.kind === 'technician'
      ? technicianCharges(actor)
      : [{ bucket: `a:${idOf(actor)}`, perMinute: actor.rate_limit_per_minute }],
  principal: (actor: Admin | Program) => (actor.kind === 'technician' ? `technician:${actor.user_id}` : idOf(actor)),
  item: (_method: string, value: unknown) => ({ success: true, data: value }),
  list: (_key: string, rows: readonly unknown[], paging: Paging) => ({
    success: true,
    data: rows,
    pagination: paginationOf(paging, 'per_page'),
  }),
  all: (_key: string, rows: readonly unknown[]) => ({ success: true, data: rows }),
  removed: (): Answer => ({ status: 204, body: undefined }),
  problem: (problem: Problem): Answer => ({
    status: usualStatuses[problem.kind],
    body: { success: false, error: problem.message, ...problem.extra },
  }),
});

const idOf = (actor: AdminKey | Program): string =>
  actor.kind === 'key' ? `key:${actor.key_id}` : `${actor.program}:${actor.id}`;

/** Declares routes, permissions and paging of the administrative surface, `/admin/api/v1`. */
export const admin = surfaceApi<Admin>(adminSurface);

/** Declares routes of the administrative surface for programs, whose access rule is `onlyProgram('…')`. */
export const programs = surfaceApi<Program>(adminSurface);

/** Access for any valid credential (Z-41, Z-45, Z-48). */
export const anyCredential: Access<Admin> = Object.freeze({ title: 'any credential', allows: () => true });

/** Restricts a permission to the role `administrator`, of the session or of the key's grantor (Z-24, SF-13). */
export function administrators(permission: Permission<Admin>): Permission<Admin> {
  return Object.freeze({
    ...permission,
    title: `${permission.name} (session: administrator)`,
    allows: (actor: Admin) => permission.allows(actor) && actor.role === 'administrator',
  });
}
