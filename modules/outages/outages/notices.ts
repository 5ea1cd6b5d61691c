// Outage mails (O-02) to the companies' managers and IT admins, and to subscribers. Sent in batches, so that an outage
// for all companies does not create one transaction with thousands of mails.
import { listed, sendMail, sql, z, type Admin, type Context, type Occurrence, type Sql } from '@keelson/core';
import { previewMail } from '@keelson/core/mail';
import { worded, type Spoken } from '@keelson/core/plugin';
import {
  activeCompany,
  countInCharge,
  isInCharge,
  readCompaniesInCharge,
  ReadCompanies,
  readPeopleInCharge,
  type Recipient,
} from '@keelson/modules/directory';
import { Outage, OutageHistory, OutageService } from '../entities.ts';
import { OutageNotice } from '../events.ts';
import { OutageUpdateMail } from '../mail-templates.ts';

type Notice = z.infer<(typeof OutageNotice)['shape']>;

const AT_ONCE = 200;

/** Writes the mails of a notice: first the contacts in batches, then the subscribers. */
export async function mailNotice(ctx: Context, { data }: Occurrence<Notice>): Promise<void> {
  const entry = await ctx.db.findOneBy(OutageHistory, { history_id: data.history_id });
  const outage = entry && (await ctx.db.findOneBy(Outage, { outage_id: entry.outage_id }));
  if (!entry || !outage) return;
  const facts = await factsOf(ctx, outage, entry);
  const people = await readPeopleInCharge(ctx, affects(outage), { after: data.after, most: AT_ONCE });
  const others = people.length < AT_ONCE ? await readSubscribers(ctx, outage) : [];
  for (const { name, address, company_name } of [...people, ...others]) {
    sendMail(ctx, OutageUpdateMail, { to: { name, address }, data: { ...facts, company_name } });
  }
  const last = people.at(-1);
  if (last && people.length === AT_ONCE)
    ctx.emit(OutageNotice, { history_id: data.history_id, after: last.employee_number });
}

const states: ReadonlyMap<string, Spoken> = new Map([
  ['investigating', worded('investigating')],
  ['identified', worded('identified')],
  ['monitoring', worded('monitoring')],
  ['active', worded('active')],
  ['resolved', worded('resolved')],
  ['scheduled', worded('scheduled')],
]);

/** The contents of a notice, apart from its recipient. */
async function factsOf(ctx: Context, outage: Outage, { status, notes }: Pick<OutageHistory, 'status' | 'notes'>) {
  const service = await ctx.db.findOneBy(OutageService, { service_id: outage.service_id });
  return {
    title: outage.title,
    status: states.get(status) ?? status.replaceAll('_', ' '),
    services: service?.name ?? '',
    message: notes || outage.description,
  };
}

export const NoticePreview = z.object({
  subject: z.string(),
  text: z.string(),
  /** Number of recipients. */
  people: z.int(),
});

/** Returns the notice of an update as sent to the first recipient. Sends nothing. */
export async function previewNotice(
  ctx: Context,
  outage: Outage,
  update: Pick<OutageHistory, 'status' | 'notes'>,
): Promise<z.infer<typeof NoticePreview>> {
  const [first] = await readPeopleInCharge(ctx, affects(outage), { most: 1 });
  const to = { name: first?.name ?? 'Alex Example', address: first?.address ?? 'alex@example.com' };
  const data = { ...(await factsOf(ctx, outage, update)), company_name: first?.company_name ?? 'Example Ltd' };
  const { subject, text } = await previewMail(ctx, OutageUpdateMail, { to, data });
  return { subject, text, people: (await countAffected(ctx, outage)).people };
}

export const Affected = z.object({
  companies: z.int(),
  /** Number of managers, IT admins and subscribers who receive notices. */
  people: z.int(),
  /** The first 500 companies by name; empty for callers who may not read companies. */
  list: z.array(z.object({ company_number: z.int(), company_name: z.string(), people: z.int() })),
});

/** Returns the companies that an outage affects, and the number of people of each who receive its notices. */
export async function readAffected(ctx: Context<Admin>, outage: Outage): Promise<z.infer<typeof Affected>> {
  const counts = await countAffected(ctx, outage);
  if (!ReadCompanies.allows(ctx.actor)) return { ...counts, list: [] };
  const list = await readCompaniesInCharge(ctx, affects(outage));
  const rows = await ctx.db.query<{ company_number: number; people: number }>(sql`
    SELECT outage_subscriber.company_number, COUNT(*) AS people FROM outage_subscriber
    WHERE outage_subscriber.company_number IN ${listed(list.map((each) => each.company_number))}
      AND NOT ${isMailedAnyway}
    GROUP BY outage_subscriber.company_number`);
  const further = new Map(rows.map((each) => [Number(each.company_number), Number(each.people)]));
  return {
    ...counts,
    list: list.map((each) => ({ ...each, people: each.people + (further.get(each.company_number) ?? 0) })),
  };
}

async function countAffected(ctx: Context, outage: Outage) {
  const { companies, people } = await countInCharge(ctx, affects(outage));
  const company = sql`outage_subscriber.company_number`;
  const [row] = await ctx.db.query<{ subscribers: number }>(sql`
    SELECT COUNT(*) AS subscribers FROM outage_subscriber
    WHERE ${affects(outage)(company)} AND NOT ${isMailedAnyway} AND ${activeCompany(company)} IS NOT NULL`);
  return { companies, people: people + Number(row?.subscribers ?? 0) };
}

/** Whether a subscriber is a manager or IT admin of the company. */
const isMailedAnyway = isInCharge(sql`outage_subscriber.company_number`, sql`outage_subscriber.email_key`);

/** Returns the subscribers of the affected companies who get no mail otherwise. */
async function readSubscribers(ctx: Context, outage: Outage): Promise<Omit<Recipient, 'employee_number'>[]> {
  const company = sql`outage_subscriber.company_number`;
  const rows = await ctx.db.query<{ name: string; email: string; company_name: string | null }>(sql`
    SELECT outage_subscriber.name, outage_subscriber.email, ${activeCompany(company)} AS company_name
    FROM outage_subscriber WHERE ${affects(outage)(company)} AND NOT ${isMailedAnyway}
    ORDER BY outage_subscriber.subscriber_id`);
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
