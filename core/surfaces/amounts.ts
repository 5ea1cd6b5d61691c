// Who may see prices, costs and agreed amounts on records that they may otherwise read.
import { fromMinor } from '../kit/money.ts';
import type { Context } from '../plugin/context.ts';
import { isEmployee } from '../plugin/employee.ts';
import type { Access } from '../plugin/surface.ts';
import { adminSurface, type Admin } from './admin.ts';

/**
 * Whether the caller may see what records cost: employees with `can_view_billing`, technicians and keys that hold
 * `billing:read`, and the program itself.
 */
export function seesAmounts({ actor }: Pick<Context, 'actor'>): boolean {
  if (actor === undefined || actor === null) return true;
  return isEmployee(actor) ? actor.can_view_billing : adminSurface.holds(actor as Admin, 'billing:read');
}

/**
 * What the caller sees of an amount in minor units: the amount as answers show it, or null. A member of a view:
 * `cost: its.asOf(z.number().nullable(), 'cost_minor', amountFor, null)`.
 */
export function amountFor(ctx: Context): (minor: number | null) => number | null {
  const shown = seesAmounts(ctx);
  return (minor) => (shown && minor !== null ? fromMinor(minor) : null);
}

/** The same as the access rule of a report's field. */
export const amountsAccess: Access<unknown> = Object.freeze({
  title: 'amounts',
  allows: (actor: unknown) => seesAmounts({ actor }),
});
