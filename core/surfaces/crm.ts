// The CRM surface, for keys, and for technicians in the console. Responses are `{ success, data }`, and errors have one
// of seven codes.
import type { Problem, ProblemKind } from '@keelson/kit/problem.ts';
import type { Author } from '@keelson/log/activity.ts';
import { surfaceApi } from '../plugin/route/route.ts';
import { paginationOf, type Answer, type Paging, type Surface } from '../plugin/route/surface.ts';
import { technicianCharges, type Role, type Technician } from './admin.ts';

export type CrmKeyType = 'crm_secret' | 'crm_public_live' | 'crm_public_test';

/** A website or integration with a CRM key. */
export interface CrmKey {
  readonly kind: 'key';
  readonly key_id: number;
  readonly name: string;
  readonly type: CrmKeyType;
  readonly permissions: ReadonlySet<string>;
  /** The role of the technician who granted the key, which it cannot exceed (SF-13). */
  readonly role: Role;
  readonly rate_limit_per_minute: number;
  readonly allowed_origins: readonly string[];
}

/** The caller on the CRM surface: a key, or a technician in the console. */
export type CrmCaller = CrmKey | Technician;

type Code =
  | 'AUTH_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'VALIDATION_ERROR'
  | 'RATE_LIMITED'
  | 'DUPLICATE'
  | 'SERVER_ERROR';

const answers: Record<ProblemKind, readonly [number, Code]> = {
  invalid: [400, 'VALIDATION_ERROR'],
  'signed-out': [401, 'AUTH_REQUIRED'],
  forbidden: [403, 'FORBIDDEN'],
  'not-found': [404, 'NOT_FOUND'],
  // The set of codes is closed. A wrong method and a large body are invalid requests.
  method: [405, 'VALIDATION_ERROR'],
  conflict: [400, 'VALIDATION_ERROR'],
  duplicate: [409, 'DUPLICATE'],
  'too-large': [413, 'VALIDATION_ERROR'],
  'too-many': [429, 'RATE_LIMITED'],
  unavailable: [503, 'SERVER_ERROR'],
  internal: [500, 'SERVER_ERROR'],
};

/**
 * Permissions only administrators, and the keys they granted, have. Webhooks are restricted to them on the
 * administrative surface too (Z-24).
 */
const withheld: ReadonlySet<string> = new Set(['webhooks:manage']);

/** The CRM surface itself, for identities. */
export const crmSurface: Surface<CrmCaller> = Object.freeze<Surface<CrmCaller>>({
  id: 'crm',
  prefix: '/admin/api/v1/crm',
  pageSize: { names: ['per_page'], default: 25, max: 100 },
  challenge: {},
  security: {
    key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A crm_, pk_live_ or pk_test_ key.' },
    session: { type: 'apiKey', in: 'cookie', name: 'SERVICE_{TENANT_SLUG}', description: 'A technician’s session.' },
    console: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Console',
      description: 'Must be `1` for a session to be accepted.',
    },
  },
  requirements: [['key'], ['session', 'console']],
  holds: (actor: CrmCaller, permission: string) => {
    if (actor.role !== 'administrator' && withheld.has(permission)) return false;
    // The widget is for visitors, whose session belongs to a key.
    if (actor.kind === 'technician') return permission !== 'widget:access';
    // Public keys hold widget:access and nothing else. A secret key opens the widget too (N-30, Z-57, Z-58).
    if (permission === 'widget:access') return true;
    return actor.type === 'crm_secret' && actor.permissions.has(permission);
  },
  company: () => undefined,
  author: (actor: CrmCaller): Author =>
    actor.kind === 'technician'
      ? { type: 'technician', id: actor.user_id, name: actor.name }
      : { type: 'api', id: actor.key_id, name: actor.name },
  charges: (actor: CrmCaller, address: string) => {
    if (actor.kind === 'technician') return technicianCharges(actor);
    const perMinute = actor.rate_limit_per_minute;
    if (actor.type === 'crm_secret') return [{ bucket: `c:key:${actor.key_id}`, perMinute }];
    // One limit per visitor, so that a website's visitors do not block each other, and one for all of them (L-09).
    return [
      { bucket: `c:key:${actor.key_id}:${address}`, perMinute },
      { bucket: `c:all:${actor.key_id}`, perMinute: perMinute * 20 },
    ];
  },
  // Secret keys and sessions must not be used in website pages, so CORS does not allow them.
  websites: (actor: CrmCaller) => {
    if (actor.kind === 'technician' || actor.type === 'crm_secret') return 'none';
    return actor.allowed_origins.length === 0 ? 'any' : actor.allowed_origins;
  },
  principal: (actor: CrmCaller) => {
    if (actor.kind === 'technician') return `technician:${actor.user_id}`;
    // Visitors share a public key, and one must not get another's stored response.
    return actor.type === 'crm_secret' ? `crm-key:${actor.key_id}` : undefined;
  },
  item: (_method: string, value: unknown) => ({ success: true, data: value }),
  list: (_key: string, rows: readonly unknown[], paging: Paging) => ({
    success: true,
    data: rows,
    pagination: paginationOf(paging, 'per_page'),
  }),
  all: (_key: string, rows: readonly unknown[]) => ({ success: true, data: rows }),
  removed: (params: Readonly<Record<string, unknown>>, idName: string | undefined): Answer => ({
    status: 200,
    body: { success: true, data: { [idName ?? 'id']: params['id'], deleted: true } },
  }),
  problem: (problem: Problem): Answer => {
    const [status, code] = answers[problem.kind];
    return { status, body: { success: false, error: problem.message, code } };
  },
});

/** Declares routes, permissions and paging of the CRM surface, `/admin/api/v1/crm`. */
export const crm = surfaceApi(crmSurface);
