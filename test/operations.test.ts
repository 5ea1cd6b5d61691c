// Every documented operation is declared, has a test and has an access rule.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadInstallation } from '../core/plugin/load/load.ts';
import type { Route } from '../core/plugin/route/route.ts';
import { root, sourcesOf } from './_source.ts';

interface Operation {
  readonly id: string;
  readonly surface: string;
  readonly module: string;
  readonly method: string;
  readonly route: string;
}

const operations: readonly Operation[] = JSON.parse(readFileSync(join(root, 'test/operations.json'), 'utf8'));
const { loaded, leftOut } = await loadInstallation('plugins');
const routes = loaded.flatMap(({ plugin }) => plugin.routes ?? []);
const byName: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.name, route]));

function routeOf({ surface, method, route }: Operation): Route | undefined {
  return byName.get(`${surface === 'public' ? 'pages' : surface} ${method} ${route}`);
}

test('the copy of the catalogue matches the catalogue', (t) => {
  const catalogue = join(root, '../shared/spec/operations.json');
  if (!existsSync(catalogue)) return t.pass('only the copy is here');
  const original: { operations: Operation[] } = JSON.parse(readFileSync(catalogue, 'utf8'));
  t.deepEqual(
    operations,
    original.operations.map(({ id, surface, module, method, route }) => ({ id, surface, module, method, route })),
  );
});

test('no plugin is left out', (t) => {
  t.deepEqual(leftOut, []);
});

test('every documented operation is declared', (t) => {
  const missing = operations.filter((each) => !routeOf(each));
  t.deepEqual(
    missing.map(({ id }) => id),
    [],
  );
  t.is(operations.length, 308);
});

test('an undocumented route is marked as an addition', (t) => {
  const documented = new Set(operations.map(routeOf));
  const modules = loaded.filter(({ source }) => source === 'module').flatMap(({ plugin }) => plugin.routes ?? []);
  const unmarked = modules.filter((route) => !documented.has(route) && !route.addition && route.surface.id !== 'pages');
  t.deepEqual(
    unmarked.map((each) => each.name),
    [],
  );
  t.deepEqual(
    [...documented].filter((route) => route?.addition),
    [],
  );
});

test('every route has a unique title and a test named after it', (t) => {
  const titles = routes.map((route) => route.title);
  t.deepEqual(
    titles.filter((title, at) => titles.indexOf(title) !== at),
    [],
    'titles are unique',
  );
  const names = testNames();
  const tested = (title: string) => names.some((name) => name.test(title));
  t.deepEqual(
    routes.filter((route) => !tested(route.title)).map((route) => `${route.name}: ${route.title}`),
    [],
  );
});

/** Returns test title patterns: 'Read a ticket' or 'Read a ticket: and what follows'; `${…}` matches any words. */
function testNames(): RegExp[] {
  const calls = sourcesOf(['test', 'plugins'], { tests: true })
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap(({ code }) => [...code.matchAll(/\b(?:test|serial|testProp)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)]);
  // One test may cover several routes: `List alerts; Read an alert: …`.
  const titles = calls.flatMap(([, , name = '']) => (name.split(':')[0] ?? '').split('; '));
  return titles.map((title) => {
    const pattern = (title.split(',')[0] ?? '')
      .split(/\$\{[^}]*\}/)
      .map((part) => RegExp.escape(part))
      .join('.+');
    return new RegExp(`^${pattern}$`);
  });
}

// Access rules per operation, worded as in the declarations.
const access = `
  helpdesk.auth.login                       anyone
  helpdesk.auth.refresh                     anyone
  helpdesk.auth.session                     signed in
  helpdesk.auth.logout                      anyone  # a late caller shows a refresh token instead (A-10)
  helpdesk.auth.profile.get                 signed in
  helpdesk.auth.profile.update              signed in
  helpdesk.auth.change_password             signed in
  helpdesk.auth.oauth.providers             anyone
  helpdesk.auth.oauth.authorize             anyone
  helpdesk.tickets.list                     signed in
  helpdesk.tickets.create                   can_create_tickets
  helpdesk.tickets.get                      signed in  # who sees the ticket (Z-04): load
  helpdesk.tickets.update                   signed in  # likewise
  helpdesk.tickets.comments.create          signed in  # likewise
  helpdesk.tickets.pending_approval         manager
  helpdesk.tickets.approval_count           signed in
  helpdesk.tickets.approve                  manager  # of the requester's group: approval.ts
  helpdesk.tickets.reject                   manager  # likewise
  helpdesk.tickets.team                     manager
  helpdesk.tickets.search                   signed in
  helpdesk.tickets.bulk                     signed in  # per ticket (Z-04)
  helpdesk.tickets.export                   signed in
  helpdesk.employees.list                   signed in  # rights for IT admins only (Z-12)
  helpdesk.employees.get                    signed in  # likewise
  helpdesk.employees.create                 IT admin
  helpdesk.employees.update                 IT admin
  helpdesk.employees.options                signed in
  helpdesk.employees.template               IT admin
  helpdesk.employees.import                 IT admin
  admin.contacts.list                       contacts:read
  admin.contacts.create                     contacts:write
  admin.contacts.get                        contacts:read
  admin.contacts.update                     contacts:write
  admin.contacts.delete                     contacts:write
  admin.contacts.import                     contacts:write
  admin.bulk.contacts                       contacts:write
  helpdesk.managers.list                    IT admin
  helpdesk.managers.get                     IT admin
  helpdesk.managers.create                  IT admin
  helpdesk.managers.update                  IT admin
  helpdesk.managers.delete                  IT admin
  helpdesk.managers.managers.add            IT admin
  helpdesk.managers.managers.remove         IT admin
  helpdesk.managers.members.add             IT admin
  helpdesk.managers.members.remove          IT admin
  helpdesk.kb.articles.create               IT admin
  helpdesk.kb.articles.get                  signed in
  helpdesk.kb.articles.list                 signed in
  helpdesk.kb.articles.update               IT admin
  helpdesk.managers.available_employees     IT admin
  helpdesk.bootstrap                        anyone
  helpdesk.branding_css                     anyone
  helpdesk.job_types.list                   signed in
  helpdesk.modules.list                     signed in
  admin.tickets.list                        tickets:read
  admin.tickets.create                      tickets:write
  admin.tickets.get                         tickets:read
  admin.tickets.update                      tickets:write
  admin.tickets.delete                      tickets:delete
  admin.tickets.comments.list               tickets:read
  admin.tickets.comments.create             tickets:write
  admin.tickets.time_entries.list           tickets:read
  admin.tickets.time_entries.create         tickets:write
  admin.tickets.export                      tickets:read
  helpdesk.sites.list                       signed in
  admin.companies.list                      companies:read
  admin.companies.create                    companies:write
  admin.companies.get                       companies:read
  admin.companies.update                    companies:write
  admin.companies.delete                    companies:write (session: administrator)
  admin.sites.list                          companies:read
  admin.sites.create                        companies:write
  admin.sites.get                           companies:read
  admin.sites.update                        companies:write
  admin.sites.delete                        companies:write
  admin.sites.hierarchy                     companies:read
  admin.companies.modules.get               companies:read
  admin.companies.modules.update            companies:write
  admin.job_types.list                      any credential
  admin.kb.articles.create                  kb:write
  admin.kb.articles.delete                  kb:write
  admin.kb.articles.get                     kb:read
  admin.kb.articles.list                    kb:read
  admin.kb.articles.update                  kb:write
  admin.kb.categories.create                kb:write
  admin.kb.categories.list                  kb:read
  admin.departments.list                    any credential
  admin.tech_status.list                    tickets:read
  admin.bulk.tickets                        tickets:write (delete: tickets:delete)
  helpdesk.status                           signed in
  helpdesk.backup.status                    signed in
  helpdesk.backup.restore_requests.list     signed in  # whose requests (Z-21): visible.ts
  helpdesk.backup.restore_requests.create   can_create_tickets
  admin.outages.list                        tickets:read
  admin.outages.get                         tickets:read
  admin.outages.create                      tickets:write
  admin.outages.update                      tickets:write
  admin.outage_services.list                tickets:read
  admin.company_services.list               companies:read
  admin.collectors.list                     networks:read
  admin.collectors.create                   settings:write (session: administrator)
  admin.collectors.update                   settings:write (session: administrator)
  admin.collectors.delete                   settings:write (session: administrator)
  admin.collectors.sync_discovery           collector token
  admin.collector_commands.list             collector token
  admin.collector_commands.complete         collector token
  admin.discovery.queue                     networks:read
  admin.discovery.scan                      networks:write
  admin.discovery.results                   networks:read
  admin.monitoring.health                   any credential
  admin.monitoring.collectors               networks:read
  admin.monitoring.alerts.list              assets:read
  admin.monitoring.alerts.acknowledge       assets:write
  admin.webhooks.list                       settings:read (session: administrator)
  admin.webhooks.create                     settings:write (session: administrator)
  admin.webhooks.update                     settings:write (session: administrator)
  admin.webhooks.delete                     settings:write (session: administrator)
  crm.webhooks.list                         webhooks:manage
  crm.webhooks.create                       webhooks:manage
  crm.webhooks.delete                       webhooks:manage
  admin.settings.api_keys.list              settings:read (session: administrator)
  admin.settings.api_keys.create            settings:write (session: administrator)
  admin.settings.api_keys.update            settings:write (session: administrator)
  admin.settings.api_keys.delete            settings:write (session: administrator)
  admin.activity_log.list                   settings:read (session: administrator)
  admin.error_log.list                      settings:read, operator tenant (session: administrator)
  admin.settings.dropdowns.get              settings:read
  admin.settings.dropdowns.update           settings:write (session: administrator)
  admin.settings.email_templates.list       settings:read
  admin.settings.email_templates.update     settings:write (session: administrator)
  admin.settings.colors.get                 settings:read
  admin.settings.colors.update              settings:write (session: administrator)
  crm.widget.init                           widget:access
  crm.widget.message                        widget:access
  crm.widget.end                            widget:access
  crm.widget.status                         widget:access
  public.widget.chat_js                     anyone
  crm.leads.list                            leads:read
  crm.leads.create                          leads:write
  crm.leads.get                             leads:read
  crm.leads.update                          leads:write
  crm.leads.delete                          leads:delete
  crm.leads.convert                         leads:write + :write of each record made
  crm.leads.activities.create               activities:write
  crm.leads.activities.list                 activities:read
  crm.opportunities.list                    opportunities:read
  crm.opportunities.create                  opportunities:write
  crm.opportunities.get                     opportunities:read
  crm.opportunities.update                  opportunities:write
  crm.opportunities.delete                  opportunities:write
  crm.opportunities.advance_stage           opportunities:write
  crm.people.list                           contacts:read
  crm.people.create                         contacts:write
  crm.people.get                            contacts:read
  crm.people.update                         contacts:write
  crm.people.delete                         contacts:write
  crm.prospects.list                        prospects:read
  crm.prospects.create                      prospects:write
  crm.prospects.get                         prospects:read
  crm.prospects.update                      prospects:write
  crm.prospects.delete                      prospects:write
  crm.prospects.convert                     prospects:write
  crm.activities.list                       activities:read
  crm.activities.create                     activities:write
  crm.activities.get                        activities:read
  crm.activities.update                     activities:write
  crm.activities.delete                     activities:write
  crm.notes.create                          activities:write
  crm.notes.list                            activities:read
  crm.notes.update                          activities:write
  crm.notes.delete                          activities:write
  crm.custom_fields.list                    <entity area>:read
  crm.custom_fields.create                  <entity area>:write
  crm.custom_fields.update                  <entity area>:write
  crm.custom_fields.delete                  <entity area>:write
  crm.search                                secret key; per type :read
  helpdesk.search                           signed in
  admin.search                              any credential; per type :read
  helpdesk.searches.list                    signed in
  helpdesk.searches.create                  signed in
  helpdesk.searches.delete                  signed in  # own only
  admin.crm.leads                           contacts:read
  admin.crm.pipeline                        reports:read
  admin.crm.dashboard                       reports:read
  admin.workflows.list                      settings:read
  admin.workflows.create                    settings:write (session: administrator)
  admin.workflows.get                       settings:read
  admin.workflows.update                    settings:write (session: administrator)
  admin.workflows.delete                    settings:write (session: administrator)
  admin.workflows.trigger                   settings:write (session: administrator)
  admin.workflows.history                   settings:read
  helpdesk.chat.start                       signed in
  helpdesk.chat.messages.list               signed in
  helpdesk.chat.messages.create             signed in
  helpdesk.chat.ticket.create               can_create_tickets
  helpdesk.chat.request_agent               signed in
  helpdesk.chat.end                         signed in
  helpdesk.assets.licenses.list             asset_edit Read Only
  helpdesk.assets.licenses.link             asset_edit Modify
  helpdesk.assets.licenses.unlink           asset_edit Modify
  helpdesk.assets.contracts.list            asset_edit Read Only
  helpdesk.networks.list                    signed in
  helpdesk.networks.get                     signed in
  helpdesk.licenses.list                    signed in
  helpdesk.contracts.list                   signed in
  helpdesk.domains.list                     signed in
  helpdesk.projects.list                    signed in
  helpdesk.projects.get                     signed in
  helpdesk.projects.milestones.list         signed in
  helpdesk.milestones.pending               manager
  helpdesk.milestones.approval_count        signed in
  helpdesk.milestones.get                   signed in
  helpdesk.milestones.approve               manager
  helpdesk.milestones.reject                manager
  helpdesk.milestones.request_info          signed in  # not only managers (Z-17)
  helpdesk.projects.punch_list.list         signed in
  helpdesk.projects.punch_list.create       signed in
  helpdesk.projects.punch_list.respond      signed in
  helpdesk.projects.punch_list.attachments.create  signed in
  helpdesk.billing.invoices.list            can_view_billing
  helpdesk.billing.invoices.get             can_view_billing
  helpdesk.billing.payments.list            can_view_billing
  helpdesk.billing.statements.list          can_view_billing
  helpdesk.billing.proposals.list           can_view_billing
  helpdesk.billing.proposals.get            can_view_billing
  helpdesk.billing.proposals.act            can_view_billing
  helpdesk.billing.subscriptions.list       can_view_billing
  admin.billing.invoices.list               billing:read
  admin.billing.invoices.get                billing:read
  admin.billing.invoices.update             billing:write (session: administrator)
  admin.billing.invoices.create             billing:write (session: administrator)
  admin.billing.payments.list               billing:read
  admin.billing.payments.create             billing:write (session: administrator)
  admin.billing.subscriptions.list          billing:read
  admin.billing.marketplace.list            billing:read
  admin.billing.marketplace.purchase        billing:write (session: administrator)
  admin.contracts.list                      contracts:read
  admin.contracts.create                    contracts:write
  admin.contracts.get                       contracts:read
  admin.contracts.update                    contracts:write
  admin.contracts.delete                    contracts:write
  admin.licenses.list                       licenses:read
  admin.licenses.create                     licenses:write
  admin.licenses.get                        licenses:read
  admin.licenses.update                     licenses:write
  admin.licenses.delete                     licenses:write
  admin.networks.list                       networks:read
  admin.networks.create                     networks:write
  admin.networks.get                        networks:read
  admin.networks.update                     networks:write
  admin.networks.delete                     networks:write
  admin.vlans.list                          networks:read
  admin.vlans.create                        networks:write
  admin.vlans.get                           networks:read
  admin.vlans.update                        networks:write
  admin.vlans.delete                        networks:write
  admin.vendors.list                        contracts:read
  admin.vendors.create                      contracts:write
  admin.vendors.get                         contracts:read
  admin.vendors.update                      contracts:write
  admin.vendors.delete                      contracts:write
  helpdesk.reports.list                     signed in  # own and shared; IT admins all
  helpdesk.reports.create                   signed in  # own and shared; IT admins all
  helpdesk.reports.get                      signed in  # own and shared; IT admins all
  helpdesk.reports.update                   signed in  # own and shared; IT admins all
  helpdesk.reports.delete                   signed in  # own and shared; IT admins all
  helpdesk.reports.run                      signed in  # own and shared; IT admins all
  helpdesk.reports.fields                   signed in  # own and shared; IT admins all
  helpdesk.reports.export                   signed in  # own and shared; IT admins all
  helpdesk.reports.gsheet                   signed in  # likewise
  helpdesk.reports.metrics                  signed in
  admin.reports.metrics                     reports:read
  admin.reports.export                      reports:read
  admin.reports.list                        reports:read
  admin.reports.create                      reports:write
  admin.reports.get                         reports:read
  admin.reports.update                      reports:write
  admin.reports.delete                      reports:write
  admin.reports.run                         reports:read
  admin.reports.fields                      reports:read
  helpdesk.assets.list                      asset_edit Read Only
  helpdesk.assets.get                       asset_edit Read Only
  helpdesk.assets.create                    asset_edit Modify
  helpdesk.assets.update                    asset_edit Modify
  helpdesk.assets.delete                    asset_edit Modify
  helpdesk.assets.ports.create              asset_edit Modify
  helpdesk.assets.ports.update              asset_edit Modify
  helpdesk.assets.ports.delete              asset_edit Modify
  helpdesk.assets.credentials.create        asset_edit Modify
  helpdesk.assets.credentials.update        asset_edit Modify
  helpdesk.assets.credentials.delete        asset_edit Modify
  helpdesk.assets.ip_addresses.list         asset_edit Read Only
  helpdesk.assets.options                   asset_edit Read Only
  helpdesk.assets.template                  asset_edit Read Only
  helpdesk.assets.import                    asset_edit Modify
  admin.assets.import                       assets:write
  admin.assets.topology                     assets:read
  admin.bulk.assets                         assets:write (delete: assets:delete)
  admin.assets.list                         assets:read
  admin.assets.create                       assets:write
  admin.assets.get                          assets:read
  admin.assets.update                       assets:write
  admin.assets.delete                       assets:delete
  admin.assets.ports.list                   assets:read
  admin.assets.ports.create                 assets:write
  admin.assets.ports.update                 assets:write
  admin.assets.ports.delete                 assets:write
  admin.assets.software                     assets:read
`;

test('access to documented operations matches the decisions', (t) => {
  const lines = access.trim().split('\n');
  const expected = lines.map((line) => {
    const [id = '', rule = ''] = line
      .replace(/\s+#.*/, '')
      .trim()
      .split(/\s{2,}/);
    return [id, rule] as const;
  });
  const declared = operations.flatMap((each) => {
    const route = routeOf(each);
    return route ? [[each.id, route.access.title] as const] : [];
  });
  t.deepEqual(Object.fromEntries(declared), Object.fromEntries(expected));
  const open = new Set(expected.filter(([, rule]) => rule === 'anyone').map(([id]) => id));
  for (const each of operations) {
    const route = routeOf(each);
    if (route) t.is(route.access.open ?? false, open.has(each.id), each.id);
  }
});
