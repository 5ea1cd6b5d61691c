// Who may see prices, costs and agreed amounts on records that they may otherwise read.
import type { Context } from '../plugin/context.ts';
import type { Access } from '../plugin/surface.ts';
import { adminSurface, type Admin } from './admin.ts';
import type { Employee } from './helpdesk.ts';

/**
 * Whether the caller may see what records cost: employees with `can_view_billing`, technicians and keys that hold
 * `billing:read`, and the program itself.
 */
export function seesAmounts({ actor }: Pick<Context, 'actor'>): boolean {
  if (typeof actor !== 'object' || actor === null) return true;
  if ('employee_number' in actor) return (actor as Employee).can_view_billing;
  return adminSurface.holds(actor as Admin, 'billing:read');
}

/** The same as the access rule of a report's field. */
export const amountsAccess: Access<unknown> = Object.freeze({
  title: 'amounts',
  allows: (actor: unknown) => seesAmounts({ actor }),
});
