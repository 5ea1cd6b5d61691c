// The services there are, and which of them a company has.
import {
  changed,
  changesBetween,
  duplicate,
  DuplicateKey,
  invalid,
  normalised,
  notFound,
  type Activity,
  type App,
  type Context,
} from '@keelson/core';
import { CompanyService, OutageService } from './entities.ts';
import { readStates, type Services } from './service-state.ts';

export interface ServiceFields {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly category?: string | undefined;
  readonly active?: boolean | undefined;
}

/** What most providers look after (NW-08). */
const usual = ['Email', 'Internet', 'Phone', 'Servers', 'Backup', 'Website'] as const;

/** Gives a new installation its services; whatever became of them later stays. */
export async function installServices(app: App): Promise<void> {
  const [any] = await app.database.find(OutageService, {}, { limit: 1 });
  if (any) return;
  const now = app.clock.now();
  const rows = usual.map((name) => ({ name, name_key: normalised(name), created_at: now, updated_at: now }));
  await app.database.insertMany(OutageService, rows).catch((error: unknown) => {
    // Another process starts at the same time, and was faster.
    if (!(error instanceof DuplicateKey)) throw error;
  });
}

/** @throws notFound() */
export async function findService(ctx: Context, service_id: number): Promise<OutageService> {
  const service = await ctx.db.one(OutageService, { service_id, deleted_at: null }, { lock: ctx.tx !== undefined });
  if (!service) throw notFound('Service');
  return service;
}

/** All of them by name, with their state for everybody. */
export async function listServices(ctx: Context) {
  const services = await ctx.db.find(OutageService, { deleted_at: null }, { order: [['name', 'ASC']] });
  return withStates(ctx, services);
}

export async function showService(ctx: Context, service: OutageService) {
  const [shown] = await withStates(ctx, [service]);
  if (!shown) throw new Error('One service gives one answer');
  return shown;
}

async function withStates(ctx: Context, services: readonly OutageService[]) {
  const stateOf = await readStates(ctx, { company: null });
  return services.map((each) => {
    const { status, active_outage_id } = stateOf(each.service_id);
    return { ...each, status, active_outage_id };
  });
}

/** @throws duplicate() when the name is taken */
export async function createService(
  ctx: Context,
  fields: ServiceFields & { readonly name: string },
): Promise<OutageService> {
  const row = { ...fields, name_key: normalised(fields.name), created_at: ctx.now, updated_at: ctx.now };
  const service_id = await ctx.db.insert(OutageService, row).catch((error: unknown) => taken(error, fields.name));
  const service = await findService(ctx, service_id);
  record(ctx, 'create', service);
  return service;
}

/** @throws duplicate() when the name is taken */
export async function updateService(
  ctx: Context,
  before: OutageService,
  fields: ServiceFields,
): Promise<OutageService> {
  const changes = changesBetween(before, { ...fields });
  if (Object.keys(changes).length === 0) return before;
  const { name = before.name } = fields;
  const set = { ...fields, name_key: normalised(name), updated_at: ctx.now };
  await ctx.db
    .update(OutageService, { service_id: before.service_id }, set)
    .catch((error: unknown) => taken(error, name));
  const service = await findService(ctx, before.service_id);
  record(ctx, 'update', service, changes);
  return service;
}

/** Outages keep the service they were about (V-26). */
export async function deleteService(ctx: Context, service: OutageService): Promise<void> {
  const { service_id } = service;
  await ctx.db.update(OutageService, { service_id }, { name_key: null, deleted_at: ctx.now });
  await ctx.db.remove(CompanyService, { service_id });
  record(ctx, 'delete', service);
}

/** The services a company has: its own list, or all active ones (O-07). */
export async function servicesOf(ctx: Context, company_number: number): Promise<Services> {
  const active = await ctx.db.find(OutageService, { active: true, deleted_at: null }, { order: [['name', 'ASC']] });
  const chosen = new Set((await ctx.db.find(CompanyService, { company_number })).map((each) => each.service_id));
  return chosen.size === 0 ? active : active.filter((each) => chosen.has(each.service_id));
}

/** Replaces a company's list; an empty one means all active services again. @throws invalid() naming unknown ids */
export async function chooseServices(ctx: Context, company_number: number, wanted: readonly number[]): Promise<void> {
  const ids = [...new Set(wanted)].toSorted((a, b) => a - b);
  const known = ids.length === 0 ? [] : await ctx.db.find(OutageService, { service_id: ids, deleted_at: null });
  const unknown = ids.filter((each) => !known.some(({ service_id }) => service_id === each));
  if (unknown.length > 0) throw invalid(`service_ids contains unknown services: ${unknown.join(', ')}`);
  const before = (await ctx.db.find(CompanyService, { company_number })).map((each) => each.service_id);
  const changes = changesBetween({ service_ids: before.toSorted((a, b) => a - b) }, { service_ids: ids });
  if (Object.keys(changes).length === 0) return;
  await ctx.db.remove(CompanyService, { company_number });
  await ctx.db.insertMany(
    CompanyService,
    ids.map((service_id) => ({ company_number, service_id })),
  );
  const description = `Services of company ${company_number} changed`;
  ctx.record({ action: 'update', entity_type: 'company', entity_id: company_number, description, changes });
}

function taken(error: unknown, name: string): never {
  if (error instanceof DuplicateKey) throw duplicate(`name ${name} already exists`);
  throw error;
}

const done = { create: 'created', update: 'changed', delete: 'deleted' } as const;

function record(
  ctx: Context,
  action: Activity['action'],
  { service_id, name }: OutageService,
  changes: Activity['changes'] = {},
): void {
  changed(ctx, OutageService);
  const description = `Service ${name} ${done[action]}`;
  ctx.record({ action, entity_type: 'outage_service', entity_id: service_id, description, changes });
}
