// The demo's monitoring: a collector that has not connected yet, a scan queued for it, and alerts.
import { IsNull, plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { Site } from '@keelson/modules/directory';
import { registerCollector, startScan } from '@keelson/modules/discovery';
import { acknowledgeAlert, raiseAlert } from '@keelson/modules/monitoring';
import type { Customer, Staff } from '../people.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
}

/** Adds a collector with a queued scan, and an alert that a technician has acknowledged. */
export async function playMonitoring(app: App, { staff, customer }: Cast): Promise<void> {
  const { user_id: id, name } = staff.technician;
  const author: Author = { type: 'technician', id, name };
  const { company_number } = customer.company;
  const at = (hours: number) => contextOf({ app, actor: undefined, author, now: plus(app.clock.now(), { hours }) });
  const site = await app.database.findOneBy(Site, { company_number, deleted_at: IsNull() });
  if (site) {
    const place = { company_number, site_number: site.site_number };
    await at(-30).transaction((ctx) => registerCollector(ctx, { ...place, name: 'Server room' }));
    await at(-29).transaction((ctx) => startScan(ctx, { ...place, subnet: '192.168.10.0/24' }));
  }
  const disk = { alert_type: 'disk_full', message: 'Drive D: of the file server has 3 % left', company_number };
  await at(-20).transaction(async (ctx) => {
    const { row } = await raiseAlert(ctx, 'demo:disk', { ...disk, severity: 'warning', source: 'Server agent' });
    await acknowledgeAlert(ctx, row);
  });
}
