// Domains registered by customers (NW-05).
import { by, create, record, searched, restrict, today, view, z, type Context, type Given } from '@keelson/core';
import type { MembersOf } from '@keelson/core/record';
import { checkPlace, CompanyNames } from '@keelson/modules/directory';
import { InventoryRenewed } from '../events.ts';
import { daysBetween, statusUntil } from '../expiry/status.ts';
import { ownCompany } from '../visible.ts';
import { Domain } from './entities.ts';

export const Domains = record(Domain, {
  title: 'Domain',
  call: ({ domain_name }) => domain_name,
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(Domain),
  }),
  sorts: { created_at: by('created_at') },
  follow: (ctx, _before, { expires_at }) =>
    expires_at === undefined ? {} : { status: statusUntil(expires_at, today(ctx)) },
  prepare: checkPlace,
  changed(ctx, changes) {
    for (const { before, after } of changes)
      if (before.expires_at !== null && before.expires_at !== after.expires_at)
        ctx.emit(InventoryRenewed, { kind: 'domain', id: after.domain_id });
  },
  removed(ctx, domains) {
    for (const { domain_id } of domains) ctx.emit(InventoryRenewed, { kind: 'domain', id: domain_id });
  },
});

const more = (its: MembersOf<typeof Domain>) => ({
  company_name: its.name(CompanyNames, 'company_number'),
  days_until_expiry: its.asOf(z.int().nullable(), 'expires_at', (ctx) => (day) => daysBetween(today(ctx), day), null),
});

/** Domain in lists (F-15), with its company. */
export const DomainItem = view(Domains, { more });
/** Domain as its company sees it, with the customer notes (Z-15). */
export const PortalDomain = restrict(
  view(Domains, {
    except: ['notes', 'customer_notes'],
    more: (its) => ({
      ...more(its),
      notes: its.from(z.string(), ['customer_notes'], ({ customer_notes }) => customer_notes),
    }),
  }),
  ownCompany,
);

/** Adds a domain. */
export function createDomain(ctx: Context, given: Omit<Given<typeof Domains>, 'status'>): Promise<Domain> {
  return create(ctx, Domains, { ...given, status: statusUntil(given.expires_at, today(ctx)) });
}
