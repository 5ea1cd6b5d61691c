// The demo's backups: two weeks of nightly backups of three machines, one of which failed last night, a drill and a
// restore request.
import { dayOf, plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createDrill, reportBackups, requestRestore, watchBackups } from '@keelson/modules/backup';
import type { Customer, Staff } from '../people.ts';
import { actorOf } from './play.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
}

const NIGHTS = 14;
const GIGABYTE = 1_000_000_000;
const machines: readonly { readonly machine_name: string; readonly gigabytes: number }[] = [
  { machine_name: 'Practice server', gigabytes: 180 },
  { machine_name: 'Mail server', gigabytes: 64 },
  { machine_name: 'X-ray archive', gigabytes: 420 },
];

/** Adds a customer's backups, a technician's restore drill, and an employee's restore request. */
export async function playBackup(app: App, { staff, customer }: Cast): Promise<void> {
  const { company_number } = customer.company;
  const now = app.clock.now();
  const tool: Author = { type: 'api', id: null, name: 'Backup' };
  const nights = Array.from({ length: NIGHTS }, (_, n) => plus(now, { hours: -6 - 24 * (NIGHTS - 1 - n) }));
  const backups = nights.flatMap((started_at, night) =>
    machines.map(({ machine_name, gigabytes }) => {
      const full = night % 7 === 0;
      const failed = machine_name === 'Mail server' && night === NIGHTS - 1;
      return {
        company_number,
        machine_name,
        backup_type: full ? 'full' : 'incremental',
        status: failed ? 'failed' : 'completed',
        message: failed ? 'The volume could not be frozen' : '',
        size_bytes: failed ? 0 : Math.round((gigabytes * GIGABYTE) / (full ? 1 : 25)),
        started_at,
        finished_at: plus(started_at, { minutes: failed ? 3 : 40 }),
        next_backup_at: plus(started_at, { hours: 24 }),
      };
    }),
  );
  await reportBackups(contextOf({ app, actor: undefined, author: tool }), backups);
  const { user_id: id, name } = staff.technician;
  const technician = contextOf({ app, actor: undefined, author: { type: 'technician', id, name } });
  const tested_on = dayOf(plus(now, { days: -9 }));
  const drill = { company_number, subject: 'Practice server, patient database', tested_on };
  await technician.transaction((ctx) => createDrill(ctx, { ...drill, result: 'passed', notes: 'Took 25 minutes.' }));
  const person = customer.employee;
  const actor = actorOf(customer, 'employee');
  const author: Author = { type: 'employee', id: person.employee_number, name: actor.first_name };
  await contextOf({ app, actor, author, now: plus(now, { hours: -2 }) }).transaction((ctx) =>
    requestRestore(ctx, {
      description: 'The folder with the insurer letters has been empty since this morning',
      items: ['P:\\Letters\\Insurers'],
      restore_point: plus(now, { hours: -20 }),
    }),
  );
  await watchBackups(app.system());
}
