// Services and their assignment to companies.
import {
  announceChange,
  DuplicateKey,
  In,
  invalid,
  IsNull,
  normalised,
  record,
  z,
  type App,
  type Context,
} from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { Company } from '@keelson/modules/directory';
import { CompanyService, OutageService } from '../entities.ts';
import { ServiceNames } from '../names.ts';
import { serviceStates } from '../shapes.ts';
import { readStates, type State } from './service-state.ts';

/** Outages and companies' lists keep a deleted service (V-26, O-07). */
export const OutageServices = record(OutageService, {
  title: 'Service',
  call: ({ name }) => name,
  names: ServiceNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
});

/** Service in responses (F-49). */
export const ServiceItem = OutageService.shape.extend({
  status: z.enum(serviceStates),
  active_outage_id: z.int().nullable(),
});

/** Default services (NW-08). */
const usualServices = ['Email', 'Internet', 'Phone', 'Servers', 'Backup', 'Website'] as const;

/**
 * Creates the default services of a new installation. Skipped if any service exists or existed, so that deleted ones do
 * not return. Bypasses the record because it runs without a context and logs nothing.
 */
export async function installServices(app: App): Promise<void> {
  if (await app.database.existsBy(OutageService, {})) return;
  const now = app.clock.now();
  const rows = usualServices.map((name) => ({ name, name_key: normalised(name), created_at: now, updated_at: now }));
  await app.database.insert(OutageService, rows).catch((error: unknown) => {
    // Another process that started at the same time has inserted them.
    if (!(error instanceof DuplicateKey)) throw error;
  });
}

/** Returns all services by name, with the status shared by all companies. */
export async function listServices(ctx: Context) {
  const services = await ctx.db.find(OutageService, { where: { deleted_at: IsNull() }, order: { name: 'ASC' } });
  const stateOf = await readStates(ctx, { company: null });
  return services.map((each) => withState(each, stateOf(each.service_id)));
}

export async function showService(ctx: Context, service: OutageService) {
  const stateOf = await readStates(ctx, { company: null });
  return withState(service, stateOf(service.service_id));
}

function withState(service: OutageService, { status, active_outage_id }: State) {
  return { ...service, status, active_outage_id };
}

/** Returns a company's services: its own list, or all active ones (O-07). */
export async function servicesOf(ctx: Context, company_number: number): Promise<OutageService[]> {
  const active = await ctx.db.find(OutageService, {
    where: { active: true, deleted_at: IsNull() },
    order: { name: 'ASC' },
  });
  const chosen = new Set((await ctx.db.findBy(CompanyService, { company_number })).map((each) => each.service_id));
  return chosen.size === 0 ? active : active.filter((each) => chosen.has(each.service_id));
}

/**
 * Replaces a company's list; an empty list restores all active services. Bypasses the record because it counts as a
 * change of the company.
 * @throws invalid() naming unknown ids
 */
export async function chooseServices(ctx: Context, company_number: number, wanted: readonly number[]): Promise<void> {
  const ids = [...new Set(wanted)].toSorted((a, b) => a - b);
  const known =
    ids.length === 0 ? [] : await ctx.db.findBy(OutageService, { service_id: In(ids), deleted_at: IsNull() });
  const unknown = ids.filter((each) => !known.some(({ service_id }) => service_id === each));
  if (unknown.length > 0) throw invalid(`service_ids contains unknown services: ${unknown.join(', ')}`);
  const before = (await ctx.db.findBy(CompanyService, { company_number })).map((each) => each.service_id);
  const changes = changesBetween({ service_ids: before.toSorted((a, b) => a - b) }, { service_ids: ids });
  if (Object.keys(changes).length === 0) return;
  await ctx.db.delete(CompanyService, { company_number });
  await ctx.db.insert(
    CompanyService,
    ids.map((service_id) => ({ company_number, service_id })),
  );
  announceChange(ctx, { of: Company, row: { company_number }, kind: 'changed' });
  const description = `Services of company ${company_number} changed`;
  const shownOn = { of: Company, row: { company_number } };
  ctx.record({ action: 'update', entity_type: 'company', entity_id: company_number, description, changes, shownOn });
}
