// The demo's outages: past, current and planned.
import { plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createOutage, installServices, OutageService, updateOutage } from '@keelson/modules/outages';
import type { Customer, Staff } from '../people.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
}

/** Adds a resolved outage, one of a single customer, and a planned maintenance window. */
export async function playOutages(app: App, { staff, customer }: Cast): Promise<void> {
  await installServices(app);
  const services = new Map((await app.database.find(OutageService)).map((each) => [each.name, each.service_id]));
  const { user_id: id, name } = staff.technician;
  const author: Author = { type: 'technician', id, name };
  const at = (hours: number) => contextOf({ app, actor: undefined, author, now: plus(app.clock.now(), { hours }) });
  const service = (called: string): number => services.get(called) ?? 0;

  const mail = await at(-200).transaction((ctx) =>
    createOutage(ctx, {
      service_id: service('Email'),
      title: 'Mail delays',
      description: 'Incoming mail is delayed by up to an hour.',
      severity: 'major',
    }),
  );
  await at(-197).transaction((ctx) =>
    updateOutage(ctx, mail, { status: 'operating_normally', notes: 'The provider has cleared its queue.' }),
  );
  await at(-3).transaction((ctx) =>
    createOutage(ctx, {
      service_id: service('Phone'),
      company_number: customer.company.company_number,
      title: 'No outgoing calls from the head office',
      description: 'The SIP trunk is down. Incoming calls are forwarded to mobile phones.',
      severity: 'critical',
      notes: 'The carrier is investigating.',
    }),
  );
  await at(-24).transaction((ctx) =>
    createOutage(ctx, {
      service_id: service('Servers'),
      title: 'Security updates of all hosted servers',
      description: 'Each server restarts once and is unavailable for about ten minutes.',
      status: 'scheduled',
      scheduled_start: plus(ctx.now, { days: 6 }),
      scheduled_end: plus(ctx.now, { days: 6, hours: 4 }),
    }),
  );
}
