// Service status for a company (F-51, O-08) and for the public status page.
import { In, IsNull, plus, show, sql, toDatabase, type Context, type EmployeeActor } from '@keelson/core';
import { Outage, OutageService } from '../entities.ts';
import { PortalOutage } from '../outages/outage-list.ts';
import { readStates, worstOf } from './service-state.ts';
import { servicesOf } from './services.ts';

/** How far ahead planned windows are shown. */
const AHEAD = { days: 30 } as const;

/** Returns the services of a company with their status. */
export async function listCompanyServices(ctx: Context, company_number: number) {
  const services = await servicesOf(ctx, company_number);
  const stateOf = await readStates(ctx, { company: company_number });
  return services.map(({ service_id, name }) => ({
    company_number,
    service_id,
    service_name: name,
    ...stateOf(service_id),
  }));
}

/** Returns the services of the signed-in person's company and the outages that affect them. */
export async function readPortalStatus(ctx: Context<EmployeeActor>) {
  const services = await listCompanyServices(ctx, ctx.actor.company_number);
  const known = new Set(services.map((each) => each.service_id));
  const outages = (await currentOutages(ctx, ctx.actor.company_number)).filter((each) => known.has(each.service_id));
  const changed = outages
    .map((each) => each.updated_at)
    .toSorted()
    .at(-1);
  return {
    status: worstOf(services.map((each) => each.status)),
    services,
    outages,
    updated_at: changed ?? ctx.now,
  };
}

/** Returns active outages and upcoming windows, both of all companies and of the given one. */
export async function currentOutages(ctx: Context, company_number: number | null) {
  const until = toDatabase(plus(ctx.now, AHEAD));
  const found = await ctx.db.query<{ outage_id: number }>(sql`SELECT outage_id FROM outage
    WHERE (company_number IS NULL OR company_number = ${company_number})
      AND (status = 'active' OR (status = 'scheduled' AND scheduled_start <= ${until}))`);
  const ids = found.map((each) => each.outage_id);
  const rows = ids.length === 0 ? [] : await ctx.db.findBy(Outage, { outage_id: In(ids) });
  const when = (each: Outage) => each.started_at ?? each.scheduled_start ?? each.created_at;
  return show(
    ctx,
    PortalOutage,
    rows.toSorted((a, b) => when(a).localeCompare(when(b)) || a.outage_id - b.outage_id),
  );
}

/** Returns the public status, without company-specific outages or names of people. */
export async function readPublicStatus(ctx: Context) {
  const services = await ctx.db.find(OutageService, {
    where: { active: true, deleted_at: IsNull() },
    order: { name: 'ASC' },
  });
  const stateOf = await readStates(ctx, { company: null });
  const shown = services.map(({ service_id, name }) => ({ service_id, name, status: stateOf(service_id).status }));
  const known = new Set(services.map((each) => each.service_id));
  const outages = (await currentOutages(ctx, null)).filter((each) => known.has(each.service_id));
  const { company_name: provider } = await ctx.app.mail.brand(ctx);
  return { provider, status: worstOf(shown.map((each) => each.status)), services: shown, outages, at: ctx.now };
}
export type PublicStatus = Awaited<ReturnType<typeof readPublicStatus>>;
