// Telling those affected by mail (O-02): the managers and IT admins of the companies, and who subscribed. In steps, so
// that an outage for everybody is no transaction with thousands of mails.
import { employeeName, joined, sendMail, sql, type Context, type Occurrence, type z } from '@keelson/core';
import { Outage, OutageHistory, OutageService } from './entities.ts';
import { OutageNotice } from './events.ts';
import { OutageUpdateMail } from './mail-templates.ts';

type Notice = z.infer<(typeof OutageNotice)['shape']>;

const AT_ONCE = 200;

interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company_name: string;
}

/** Writes the mails of a notice: first the contacts, a step at a time, then those who subscribed. */
export async function mailNotice(ctx: Context, { data }: Occurrence<Notice>): Promise<void> {
  const said = await ctx.db.one(OutageHistory, { history_id: data.history_id });
  const outage = said && (await ctx.db.one(Outage, { outage_id: said.outage_id }));
  if (!said || !outage) return;
  const service = await ctx.db.one(OutageService, { service_id: outage.service_id });
  const facts = {
    title: outage.title,
    status: said.status.replaceAll('_', ' '),
    services: service?.name ?? '',
    message: said.notes || outage.description,
  };
  const people = await readContacts(ctx, outage, data.after);
  const others = people.length < AT_ONCE ? await readSubscribers(ctx, outage) : [];
  for (const { name, email, company_name } of [...people, ...others]) {
    sendMail(ctx, OutageUpdateMail, { to: { name, address: email }, data: { ...facts, company_name } });
  }
  const last = people.at(-1);
  if (last && people.length === AT_ONCE) ctx.emit(OutageNotice, { history_id: data.history_id, after: last.id });
}

/** Active managers and IT admins of active companies that the outage is about. */
async function readContacts(ctx: Context, outage: Outage, after: number): Promise<Person[]> {
  const rows = await ctx.db.query<Omit<Person, 'name'> & { first_name: string; last_name: string }>(sql`
    SELECT employee.employee_number AS id, employee.first_name, employee.last_name, employee.email,
      company.customer AS company_name
    FROM employee JOIN company ON company.company_number = employee.company_number
      AND company.status = 'active' AND company.deleted_at IS NULL
    WHERE employee.employee_number > ${after} AND employee.status = 'Active' AND employee.deleted_at IS NULL
      AND (employee.ismgr = 1 OR employee.it_privileges = 1) AND ${affected(outage)}
    ORDER BY employee.employee_number LIMIT ${AT_ONCE}`);
  return rows.map((each) => ({ ...each, name: employeeName(each) }));
}

function readSubscribers(ctx: Context, outage: Outage): Promise<Person[]> {
  return ctx.db.query<Person>(sql`
    SELECT outage_subscriber.subscriber_id AS id, outage_subscriber.name, outage_subscriber.email,
      company.customer AS company_name
    FROM outage_subscriber JOIN company ON company.company_number = outage_subscriber.company_number
      AND company.status = 'active' AND company.deleted_at IS NULL
    WHERE ${affected(outage)} ORDER BY outage_subscriber.subscriber_id`);
}

/** The outage's company, or every company that has the service. */
function affected({ company_number, service_id }: Outage) {
  if (company_number !== null) return sql`company.company_number = ${company_number}`;
  const any = sql`SELECT 1 FROM company_service WHERE company_service.company_number = company.company_number`;
  return joined(
    [sql`(NOT EXISTS (${any})`, sql`EXISTS (${any} AND company_service.service_id = ${service_id}))`],
    ' OR ',
  );
}
