// Warranty claims: what we ask of a vendor when something breaks. Each has a ticket, where the work on it is written down.
import { by, is, record, searched, view, type Context, type EmployeeActor } from '@keelson/core';
import { Claim } from './entities.ts';
import { ClaimFiled } from './events.ts';

export const Claims = record(Claim, {
  title: 'Claim',
  call: ({ product, vendor }) => `for ${product} (${vendor})`,
  created: (ctx, claim) => ctx.emit(ClaimFiled, claim),
  filters: (its) => ({ company_number: its.is('company_number'), state: its.is('state'), search: searched(Claim) }),
  sorts: { created_at: by('created_at') },
});

/** A claim as technicians see it: every column. */
export const ClaimView = view(Claims);

/** As the customer's people see it: whom we chase, and when, is our own affair. */
export const PortalClaim = view(Claims, {
  except: ['company_number', 'chased_at'],
  visible: ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)],
});
