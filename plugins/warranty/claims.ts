// Warranty claims against vendors. Each has a ticket that records the work.
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

/** Claim as technicians see it, with all columns. */
export const ClaimView = view(Claims);

/** Claim as customers see it, without our reminders to the vendor. */
export const PortalClaim = view(Claims, {
  except: ['company_number', 'chased_at'],
  visible: ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)],
});
