// Decides who may see prices, costs and agreed amounts on records they may otherwise read.
import { fromMinor } from '@keelson/kit/money.ts';
import type { Context } from '../plugin/context.ts';
import { isEmployee } from '../plugin/route/employee.ts';
import type { Access } from '../plugin/route/surface.ts';
import { adminSurface, type Admin } from './admin.ts';

/**
 * Returns true if the caller may see amounts: employees with `can_view_billing`, technicians and keys with
 * `billing:read`, and the system itself.
 */
export function seesAmounts({ actor }: Pick<Context, 'actor'>): boolean {
  if (actor === undefined || actor === null) return true;
  return isEmployee(actor) ? actor.can_view_billing : adminSurface.holds(actor as Admin, 'billing:read');
}

/**
 * Converts minor units to the amount shown in responses, or null if the caller may not see it. As a view member: `cost:
 * its.asOf(z.number().nullable(), 'cost_minor', amountFor, null)`.
 */
export function amountFor(ctx: Context): (minor: number | null) => number | null {
  const shown = seesAmounts(ctx);
  return (minor) => (shown && minor !== null ? fromMinor(minor) : null);
}

/** The access rule for amount fields in reports. */
export const amountsAccess: Access<unknown> = Object.freeze({
  title: 'amounts',
  allows: (actor: unknown) => seesAmounts({ actor }),
});
