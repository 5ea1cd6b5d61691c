// Examples for docs/api.md not covered by the guide and its plugin: plugin, routes, input, problems. They compile.
import {
  admin,
  administrators,
  added,
  all,
  anyCredential,
  anyone,
  crm,
  definePlugin,
  dropdown,
  duplicate,
  file,
  flat,
  forbidden,
  helpdesk,
  inUse,
  input,
  invalid,
  itAdmin,
  manager,
  notFound,
  nothing,
  page,
  pages,
  param,
  perApp,
  portalPart,
  Problem,
  readDropdown,
  setting,
  ticketCreator,
  today,
  z,
  type Admin,
  type App,
  type ConsoleSheet,
  type Context,
  type CrmKey,
  type EmployeeActor,
  type Row,
} from '@keelson/core';
import {
  dictionary,
  dictionaryOf,
  isForbiddenName,
  tooMany,
  unavailable,
  type Dictionary,
  html,
  memoize,
  parse,
  safeParse,
} from '@keelson/core/kit';
import { changesBetween, theSystem, type Activity, type Author } from '@keelson/core/log';
import {
  answerSource,
  asset,
  command,
  fill,
  framed,
  middleware,
  readCurrency,
  readSlot,
  sameCurrency,
  slot,
  startOfDay,
  stream,
  type FileAnswer,
  type MiddlewarePlace,
  type Permission,
  type Plugin,
  type PluginMiddleware,
  type PluginState,
  type Route,
} from '@keelson/core/plugin';
import { chargeReveal, employeeName, revealers } from '@keelson/core/surfaces';
import {
  programs,
  onlyProgram,
  ShownPages,
  signedOut,
  type AdminKey,
  type Http,
  type Program,
  type TechnicianActor,
} from '@keelson/core/system';
import { ClaimView } from '../../../plugins/warranty/claims.ts';
import type { Claim } from '../../../plugins/warranty/entities.ts';
import { WriteClaims } from '../../../plugins/warranty/permissions.ts';

// The plugin
export const ChaseAfterDays = setting('warranty.chase_after_days', z.int().min(1), 7);
export const chaseAfter = (ctx: Context, app: App): Promise<number> => app.settings.get(ctx, ChaseAfterDays);

export const Vendors = dropdown('warranty_vendors', { title: 'Vendors', items: ['Acme', 'Initech'] });
const vendorKeys = memoize(
  (vendors: readonly { value: string }[]) => new Set(vendors.map(({ value }) => value.toLowerCase())),
);
export async function isVendor(ctx: Context, name: string): Promise<boolean> {
  const vendors = await readDropdown(ctx, Vendors);
  return vendorKeys(vendors).has(name.toLowerCase());
}

/** Rejects all requests at night; `places` could come from a setting. */
export const atNight = (places: readonly MiddlewarePlace[]): PluginMiddleware[] =>
  places.map((at) =>
    middleware(at, ({ clock }) => async (http, next) => {
      if (clock.now().slice(11, 13) < '06') throw unavailable(`Closed at night, ${caller(http.state)}`);
      await next();
    }),
  );
const caller = ({ ip, actor = 'stranger' }: PluginState) => `${actor} from ${ip}`;
export const count = command('warranty count', 'Prints how many claims there are', [], async (shell) => {
  const app = await shell.open();
  shell.print(app.config.tenantName);
});

/** Number of requests per vendor since the process started. */
export const askedOf = perApp(() => new Map<string, number>());
export const terms = answerSource('warranty.terms', async () => [
  { title: 'Warranty', text: 'Two years on all devices.' },
]);
export const ShelfLabels = slot('shelf.labels', z.array(z.string()), []);
export const labelled = fill(ShelfLabels, async (_ctx, ids) => new Map(ids.map((id) => [id, [`Shelf ${id}`]])));
export const labelsOf = async (ctx: Context, shelf_id: number) =>
  (await readSlot(ctx, ShelfLabels, [shelf_id]))(shelf_id);
export const priceTag = async (ctx: Context, amount: number) => `${amount} ${await readCurrency(ctx)}`;
export const currencyOf = async (ctx: Context, contract_id: number) => (await sameCurrency(ctx)).get(contract_id);
export const mayReveal = revealers(WriteClaims);
export async function tellSerial(ctx: Context<Admin>, claim: Claim): Promise<string> {
  await chargeReveal(ctx);
  return claim.vendor;
}
export const extended = (plugin: Plugin): Plugin => definePlugin({ ...plugin, version: '1.1.0' });

// Pages
export const portalPages = portalPart(import.meta.dirname, {
  pages: [
    { path: '/warranty', title: 'Warranty', file: 'claims', access: itAdmin, nav: { icon: 'shield', order: 60 } },
  ],
});
export const claimSheet: ConsoleSheet = {
  path: '/warranty/:id',
  title: 'Claim',
  access: WriteClaims,
  read: 'GET /warranty/claims.php?id={id}',
  heading: 'product',
  facts: ['vendor', 'state', 'created_at'],
};
export const Start = ShownPages.extend({ greeting: z.string() });

// Context
export const sinceMidnight = (ctx: Context) => startOfDay(ctx, today(ctx));
const changes = (before: Claim, after: Claim): Activity['changes'] => changesBetween(before, after);
export function recordMove(ctx: Context, before: Claim, after: Claim): void {
  const activity: Activity = {
    action: 'update',
    entity_type: 'claim',
    entity_id: after.claim_id,
    description: 'Claim moved',
  };
  ctx.record({ ...activity, changes: changes(before, after) });
}
export const isOurs = (author: Author): boolean => author.type === theSystem.type;

// Surfaces
export const ManageVendors: Permission<Admin> = administrators(admin.permission('warranty:vendors', 'Manage vendors'));
export const limitOf = ({ actor }: Context<AdminKey>): number => actor.rate_limit_per_minute;
export const nameOf = ({ actor }: Context<TechnicianActor>): string => actor.name;
export const originsOf = ({ actor }: Context<CrmKey>) => actor.allowed_origins;
export const greeting = ({ actor }: Context<EmployeeActor>): string => `Hello ${employeeName(actor)}`;

const Vendor = z.object({ vendor: z.string() });
const vendors = async () => [{ vendor: 'Acme' }];
export const forAnyKey = admin.get('/warranty/vendors.php', {
  title: 'List vendors',
  access: anyCredential,
  returns: all(Vendor),
  handle: vendors,
});
export const forWebsites = crm.get('/warranty/vendors', {
  title: 'List vendors',
  access: crm.permission('warranty:read', 'View vendors'),
  returns: all(Vendor),
  handle: vendors,
});
const options = { title: 'List vendors', returns: all(Vendor), handle: vendors };
export const forManagers = helpdesk.get('/warranty/costs', { ...options, access: manager });
export const forItAdmins = helpdesk.get('/warranty/contracts', { ...options, access: itAdmin });
export const forCreators = helpdesk.get('/warranty/vendors', { ...options, access: ticketCreator });
export const routes: Route[] = [forAnyKey, forWebsites, forManagers, forItAdmins, forCreators];
export const forScanners = programs.get('/warranty/scanner', {
  title: 'Read what the scanner is to look for',
  access: onlyProgram('scanner'),
  returns: all(Vendor),
  handle: vendors,
});
export const scannerOf = ({ actor }: Context<Program>): string => actor.id;
export const readTerms = pages.get('/warranty/terms', {
  title: 'Read the terms',
  access: anyone,
  returns: page(),
  handle: () => ({ html: html`<h1>Warranty</h1>`.text }),
});

// Answers
export const answers = {
  addedTo: added(Vendor),
  wholeList: all(Vendor),
  script: asset('text/javascript'),
  events: stream(),
  download: file('text/csv'),
  asDocumented: flat(z.object({ ok: z.literal(true) })),
  afterDelete: nothing(),
  markup: page(),
  mail: framed(),
};
export const csvOf = (text: string): FileAnswer => ({ name: 'claims.csv', type: 'text/csv', body: text });
export const languageOf = (http: Http): string => http.header('accept-language') ?? 'en';

// Input
export const query = admin.paging({ vendor: param.text(120), since: param.day(), open: param.flag() });
export const body = z.object({ vendor: input.text(120), cost: input.optional(input.money({ min: 0 })) });
export const bodyOf = (value: unknown) => parse(body, value);
export const judged = (value: unknown) => safeParse(body, value, 'Claim');
export const byVendor = (rows: readonly Claim[]): Dictionary<Claim> => dictionary(rows.map((row) => [row.vendor, row]));
export const partOf = (value: unknown, name: string): unknown => dictionaryOf(value)[name];
export const isFieldName = (name: string): boolean => !isForbiddenName(name);

// Problems
export function refuse(
  claim: Row<typeof Claim> | undefined,
  problem: { taken: boolean; tickets: number; seconds: number },
): void {
  if (!claim) throw notFound('Claim');
  if (claim.vendor === '') throw invalid('vendor must not be empty');
  if (problem.taken) throw duplicate('vendor is already in use');
  if (problem.tickets > 0) throw inUse(`Claim still has ${problem.tickets} tickets`);
  if (problem.seconds > 0) throw tooMany(problem.seconds);
}
export function mayWrite(actor: Admin | undefined): void {
  if (!actor) throw signedOut();
  if (!WriteClaims.allows(actor)) throw forbidden();
}
export function vendorFailed(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw unavailable('The vendor does not answer, try again later');
}
export const shape = ClaimView.shape;
