// Outage mails (O-02) to the companies' managers and IT admins, and to subscribers. Sent in batches, so that an outage
// for all companies does not create one transaction with thousands of mails.
import { sendMail, sql, type Context, type Occurrence, type Sql, type z } from '@keelson/core';
import { activeCompany, readPeopleInCharge, type Recipient } from '@keelson/modules/directory';
import { Outage, OutageHistory, OutageService } from './entities.ts';
import { OutageNotice } from './events.ts';
import { OutageUpdateMail } from './mail-templates.ts';

type Notice = z.infer<(typeof OutageNotice)['shape']>;

const AT_ONCE = 200;

/** Writes the mails of a notice: first the contacts in batches, then the subscribers. */
export async function mailNotice(ctx: Context, { data }: Occurrence<Notice>): Promise<void> {
  const entry = await ctx.db.findOneBy(OutageHistory, { history_id: data.history_id });
  const outage = entry && (await ctx.db.findOneBy(Outage, { outage_id: entry.outage_id }));
  if (!entry || !outage) return;
  const service = await ctx.db.findOneBy(OutageService, { service_id: outage.service_id });
  const facts = {
    title: outage.title,
    status: entry.status.replaceAll('_', ' '),
    services: service?.name ?? '',
    message: entry.notes || outage.description,
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

/** Returns the subscribers of the affected companies. */
async function readSubscribers(ctx: Context, outage: Outage): Promise<Omit<Recipient, 'employee_number'>[]> {
  const company = sql`outage_subscriber.company_number`;
  const rows = await ctx.db.query<{ name: string; email: string; company_name: string | null }>(sql`
    SELECT outage_subscriber.name, outage_subscriber.email, ${activeCompany(company)} AS company_name
    FROM outage_subscriber WHERE ${affects(outage)(company)} ORDER BY outage_subscriber.subscriber_id`);
  return rows.flatMap(({ name, email, company_name }) =>
    company_name === null ? [] : [{ name, address: email, company_name }],
  );
}

/** Returns a condition for affected companies: the outage's own, or all that have the service. */
function affects({ company_number, service_id }: Outage): (company: Sql) => Sql {
  if (company_number !== null) return (company) => sql`${company} = ${company_number}`;
  return (company) => {
    const chosen = sql`SELECT 1 FROM company_service WHERE company_service.company_number = ${company}`;
    return sql`(NOT EXISTS (${chosen}) OR EXISTS (${chosen} AND company_service.service_id = ${service_id}))`;
  };
}
