// Telling those affected by mail (O-02): the managers and IT admins of the companies, and who subscribed. In steps, so
// that an outage for everybody is no transaction with thousands of mails.
import { sendMail, sql, type Context, type Occurrence, type Sql, type z } from '@keelson/core';
import { activeCompany, readPeopleInCharge, type Recipient } from '@keelson/modules/directory';
import { Outage, OutageHistory, OutageService } from './entities.ts';
import { OutageNotice } from './events.ts';
import { OutageUpdateMail } from './mail-templates.ts';

type Notice = z.infer<(typeof OutageNotice)['shape']>;

const AT_ONCE = 200;

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
  const people = await readPeopleInCharge(ctx, affects(outage), { after: data.after, most: AT_ONCE });
  const others = people.length < AT_ONCE ? await readSubscribers(ctx, outage) : [];
  for (const { name, address, company_name } of [...people, ...others]) {
    sendMail(ctx, OutageUpdateMail, { to: { name, address }, data: { ...facts, company_name } });
  }
  const last = people.at(-1);
  if (last && people.length === AT_ONCE)
    ctx.emit(OutageNotice, { history_id: data.history_id, after: last.employee_number });
}

/** Those who subscribed, of companies that the outage is about. */
async function readSubscribers(ctx: Context, outage: Outage): Promise<Omit<Recipient, 'employee_number'>[]> {
  const company = sql`outage_subscriber.company_number`;
  const rows = await ctx.db.query<{ name: string; email: string; company_name: string | null }>(sql`
    SELECT outage_subscriber.name, outage_subscriber.email, ${activeCompany(company)} AS company_name
    FROM outage_subscriber WHERE ${affects(outage)(company)} ORDER BY outage_subscriber.subscriber_id`);
  return rows.flatMap(({ name, email, company_name }) =>
    company_name === null ? [] : [{ name, address: email, company_name }],
  );
}

/** The outage's company, or every company that has the service. */
function affects({ company_number, service_id }: Outage): (company: Sql) => Sql {
  if (company_number !== null) return (company) => sql`${company} = ${company_number}`;
  return (company) => {
    const any = sql`SELECT 1 FROM company_service WHERE company_service.company_number = ${company}`;
    return sql`(NOT EXISTS (${any}) OR EXISTS (${any} AND company_service.service_id = ${service_id}))`;
  };
}
