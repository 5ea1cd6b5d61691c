// Creates the records that the access matrix requests, one maker per kind of path id. A new kind is one line.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create, IsNull, plus, type App, type Context, type Table } from '@keelson/core';
import { newId } from '@keelson/core/kit';
import { ImportRun } from '@keelson/core/system';
import { Asset, lockAsset } from '@keelson/modules/assets';
import { BackupRecord, reportBackups, RestoreDrill } from '@keelson/modules/backup';
import { Invoice } from '@keelson/modules/billing';
import { Proposal } from '@keelson/modules/billing';
import { Chat } from '@keelson/modules/chat';
import { Company, createGroup, Employee, ManagerGroup } from '@keelson/modules/directory';
import { Collector, CollectorCommand, DiscoveryResult, startScan } from '@keelson/modules/discovery';
import { CalendarFeed, planAppointment, type NewAppointment } from '@keelson/modules/dispatch';
import { Contract, createLicense, createNetwork } from '@keelson/modules/inventory';
import { KbArticle } from '@keelson/modules/kb';
import { createCalendar, createPolicy, LevelHoliday } from '@keelson/modules/levels';
import { Mailbox, MailboxMessage } from '@keelson/modules/mailbox';
import { createRecurring, TicketChecklistItem } from '@keelson/modules/planned';
import {
  createMilestone,
  createPhase,
  lockProject,
  Project,
  Projects,
  PunchItem,
  submitItems,
  submitMilestone,
} from '@keelson/modules/projects';
import { Report } from '@keelson/modules/reports';
import { SavedSearch } from '@keelson/modules/search';
import { storeProvider, wantedProvider } from '@keelson/modules/system';
import { Absence, createMember, createStep, createTeam, Escalation, RotaOverride } from '@keelson/modules/teams';
import { lockTicket, Ticket } from '@keelson/modules/tickets';
import { createWebhook } from '@keelson/modules/webhooks';
import { createWorkflow } from '@keelson/modules/workflows';
import type { TestApp } from '@keelson/testing';
import { plainPath, type Parameter } from '../core/plugin/route/path-template.ts';
import type { Route } from '../core/plugin/route/route.ts';
import {
  EmployeeSession,
  LinkedIdentity,
  SecondFactor,
  TechnicianIdentity,
  TechnicianSession,
} from '../modules/accounts/entities.ts';
import { addCredential } from '../modules/assets/credentials/credentials.ts';
import { addPort } from '../modules/assets/ports/ports.ts';
import { ReplyTemplate, SavedView, Timer } from '../modules/desk/entities.ts';
import { PushSubscription } from '../modules/desk/push/entities.ts';
import { EmployeeAddress } from '../modules/directory/entities/employee-address.ts';
import { addPerson } from '../modules/directory/groups/group-people.ts';
import { MailboxRule } from '../modules/mailbox/entities.ts';
import { storeRaw } from '../modules/mailbox/parse/raw.ts';
import { TicketWatcher } from '../modules/tickets/entities.ts';
import { addWatcher } from '../modules/tickets/people/watchers.ts';
import { Delivery, StoredEvent } from '../packages/events/delivery/delivery.ts';
import { Mail } from '../packages/mail/mail.ts';
import { StoredTemplate } from '../packages/mail/stored-template.ts';
import type { Person } from './_access-world.ts';
import { root } from './_source.ts';
import { seedCompany, seedEmployee, seedKey, seedTechnician, unique } from './accounts-seed.ts';
import { seedAsset } from './assets-seed.ts';
import { attachTo } from './attachments-seed.ts';
import { placeIn, seedCollector } from './collector-seed.ts';
import { seedProposal, seedSubscription } from './sales-seed.ts';
import { asEmployee, seedSite, seedTicket } from './tickets-seed.ts';

export interface Whose {
  readonly app: TestApp;
  /** Sends a request with every permission; returns the id of the created record. */
  readonly make: (surface: 'admin' | 'crm', path: string, body: unknown) => Promise<Id>;
  readonly person: Person;
  /** Whether the record belongs to the caller or to someone else. */
  readonly side: 'own' | 'foreign';
  /** Ids that precede this one in the path. */
  readonly parents: readonly Id[];
}

export type Id = string | number;
type Maker = (whose: Whose) => Promise<Id>;
export type Makers = Readonly<Record<string, Maker | undefined>>;

/** Makers by surface, path and parameter, as `idsOf` names them, or by route where a route needs its own record. */
export const makers: Makers = {
  ...(await ofPlugins()),

  'helpdesk /assets/{id}': asset,
  'helpdesk /assets/{id}/credentials/{login_id}': login,
  'helpdesk /assets/{id}/licenses/{license_id}': linkedLicense,
  'helpdesk /assets/{id}/attachments/{attachment_id}': attachmentOf(Asset),
  'helpdesk /auth/identities/{identity_id}': identity,
  'helpdesk /auth/sessions/{session_id}': session,
  'helpdesk /billing/invoices/{id}': sentInvoice,
  'helpdesk /billing/invoices/{id}/attachments/{attachment_id}': attachmentOf(Invoice),
  'helpdesk /billing/credit-notes/{id}': creditNote,
  'helpdesk /billing/proposals/{id}': sentProposal,
  'helpdesk /billing/proposals/{id}/attachments/{attachment_id}': attachmentOf(Proposal),
  'helpdesk /contracts/{id}': contract,
  'helpdesk /contracts/{id}/attachments/{attachment_id}': attachmentOf(Contract),
  'helpdesk /chat/{id}': chat,
  'helpdesk /employees/{id}': colleague,
  'helpdesk /kb/articles/{id}': portalArticle,
  'helpdesk /kb/articles/{id}/attachments/{attachment_id}': attachmentOf(KbArticle),
  'helpdesk /managers/{code}': (whose) => group(whose),
  'helpdesk /managers/{code}/managers/{employee_id}': (whose) => inGroup(whose, 'managers'),
  'helpdesk /managers/{code}/members/{employee_id}': (whose) => inGroup(whose, 'members'),
  'helpdesk /networks/{id}': network,
  'helpdesk /milestones/{id}': submittedMilestone,
  'helpdesk /projects/{project_id}': project,
  'helpdesk /projects/{project_id}/punch-list/{item_id}': punchItem,
  'helpdesk /projects/{project_id}/punch-list/{item_id}/attachments/{attachment_id}': attachmentOf(PunchItem),
  'helpdesk /reports/{id}': report,
  'helpdesk /imports/{id}': importRun('employee'),
  'helpdesk /searches/{id}': savedSearch,
  'helpdesk /reports/fields/{source}': async ({ side }) => (side === 'own' ? 'tickets' : 'secrets'),
  'helpdesk /tickets/{id}': ticket,
  'helpdesk /tickets/{id}/attachments/{attachment_id}': attachmentOf(Ticket),
  'helpdesk /tickets/{id}/appointments/{appointment_id}': askedAppointment,
  'helpdesk /tickets/{id}/appointments/{appointment_id}/move': askedAppointment,
  'helpdesk /tickets/{id}/appointments/{appointment_id}/times': askedAppointment,
  'helpdesk /tickets/{id}/watchers/{watcher_id}': watcher,
  'helpdesk POST /tickets/{id}/approve': pendingTicket,
  'helpdesk POST /tickets/{id}/reject': pendingTicket,

  'admin /assets.php?id': asset,
  'admin /assets.php?attachment_id': attachmentOf(Asset),
  'admin /assets.php?port_id': port,
  'admin /assets.php?login_id': login,
  'admin /tickets.php?comment_id': note,
  'admin /ticket-templates.php?id': ({ make }) =>
    make('admin', '/ticket-templates.php', { name: unique('Template'), subject: 'New employee' }),
  'admin /recurring-tickets.php?id': recurringTicket,
  'admin /tickets/checklist.php?id': ticket,
  'admin /dispatch/appointments.php?id': appointment,
  'admin /dispatch/feeds.php?id': calendarFeed,
  'admin /tickets/checklist.php?item_id': checklistItem,
  'admin /tickets.php?time_entry_id': timeEntry,
  'admin /tickets.php?watcher_id': watcher,
  'admin /backup/records.php?id': async (whose) => (await backup(whose)).backup_id,
  'admin /backup/machines.php?id': async (whose) => (await backup(whose)).machine_id,
  'admin /backup/restore-requests.php?id': restoreRequest,
  'admin /backup/drills.php?id': drill,
  'admin /backup/drills.php?attachment_id': attachmentOf(RestoreDrill),
  'admin /billing/invoices.php?id': (whose) => invoice(whose),
  'admin /billing/invoices.php?attachment_id': attachmentOf(Invoice),
  'admin /billing/credit-notes.php?id': creditNote,
  'admin /billing/payments.php?id': payment,
  'admin /billing/products.php?id': ({ make }) => make('admin', '/billing/products.php', { name: 'Backup', price: 1 }),
  'admin /billing/proposals.php?id': proposal,
  'admin /billing/proposals.php?attachment_id': attachmentOf(Proposal),
  'admin /billing/subscriptions.php?id': subscription,
  'admin /billing/statements.php?company_number': async ({ person }) => person.company_number,
  'admin /billing/open-time.php?company_number': async ({ person }) => person.company_number,
  'admin /billing/contract-hours.php?contract_id': contract,
  'admin /billing/included-hours.php?company_number': async ({ person }) => person.company_number,
  'admin /levels/calendars.php?id': calendar,
  'admin /levels/calendars.php?action=import&id': calendar,
  'admin /levels/holidays.php?id': async (whose) => {
    const row = { calendar_id: Number(await calendar(whose)), day: '2026-12-25', name: 'Christmas', hours: [] };
    return whose.app.run((ctx) => ctx.db.insertReturningId(LevelHoliday, { ...row, created_at: ctx.now }));
  },
  'admin /levels/compliance.php?id': async ({ app, person: { company_number } }) => {
    const targets = [{ priority: 3, response_minutes: 60, next_response_minutes: null, resolution_minutes: null }];
    await app.run((ctx) => createPolicy(ctx, { name: unique('Policy'), position: 1, targets }));
    await seedTicket(app, { company_number });
    return `company-${company_number}-response`;
  },
  'admin /levels/policies.php?id': async ({ app }) =>
    (await app.run((ctx) => createPolicy(ctx, { name: unique('Policy'), targets: [] }))).policy_id,
  'admin /teams.php?id': async ({ app }) => (await team(app)).team_id,
  'admin /teams/members.php?id': async ({ app, person }) => {
    const { team_id } = await team(app);
    return (await app.run((ctx) => createMember(ctx, { team_id, user_id: person.user_id, skills: [] }))).member_id;
  },
  'admin /teams/overrides.php?id': async ({ app, person }) => {
    const { team_id } = await team(app);
    const row = { team_id, user_id: person.user_id, starts_at: '2026-03-02T09:00:00.000Z' };
    const ends_at = '2026-03-03T09:00:00.000Z';
    return app.run((ctx) => ctx.db.insertReturningId(RotaOverride, { ...row, ends_at, created_at: ctx.now }));
  },
  'admin /teams/steps.php?id': async ({ app }) => {
    const { team_id } = await team(app);
    return (await app.run((ctx) => createStep(ctx, { team_id, after_minutes: 5, notify: 'team' }))).step_id;
  },
  'admin /teams/escalations.php?id': async (whose) => {
    const ticket_id = Number(await ticket(whose));
    const { team_id } = await team(whose.app);
    const row = { team_id, ticket_id, cause: 'priority', open_ticket: ticket_id } as const;
    return whose.app.run((ctx) => ctx.db.insertReturningId(Escalation, { ...row, started_at: ctx.now }));
  },
  'admin /teams/absences.php?id': async ({ app, person }) => {
    const row = { user_id: person.user_id, first_day: '2026-12-24', last_day: '2026-12-31' };
    return app.run((ctx) => ctx.db.insertReturningId(Absence, { ...row, created_at: ctx.now }));
  },
  'admin /mailboxes.php?id': mailbox,
  'admin /mailboxes/rules.php?id': ({ app }) =>
    app.run((ctx) => {
      const row = { sender: `${newId()}.example`, outcome: 'block' } as const;
      return ctx.db.insertReturningId(MailboxRule, { ...row, created_at: ctx.now, updated_at: ctx.now });
    }),
  'admin /mailboxes/outgoing.php?id': ticket,
  'admin /mailboxes/undeliverable.php?id': colleague,
  'admin /mailboxes/messages.php?id': async (whose) => {
    const mailbox_id = Number(await mailbox(whose));
    const row = { mailbox_id, message_key: newId(), size: 1, state: 'review' } as const;
    return whose.app.run(async (ctx) => {
      const id = await ctx.db.insertReturningId(MailboxMessage, { ...row, received_at: ctx.now });
      await storeRaw(ctx, id, Buffer.from('Subject: Printer\r\n\r\nHelp\r\n'));
      return id;
    });
  },
  'admin /chat/sessions.php?id': chat,
  'admin /companies.php?attachment_id': attachmentOf(Company),
  'admin /companies.php?id': async ({ app }) => (await seedCompany(app)).company_number,
  'admin /connect/collectors.php?id': async ({ app, person }) => (await collectorOf(app, person)).collector_id,
  'admin /connect/collector/commands/{id}': command,
  'admin /contacts.php?id': colleague,
  'admin /contacts.php?address_id': async (whose) => {
    const { app, parents, person } = whose;
    const { company_number } = person;
    const named = await app.app.database.findOneBy(Employee, { employee_number: Number(parents[0]), company_number });
    const employee_number = named?.employee_number ?? Number(await colleague(whose));
    const email = `${newId()}@example.com`;
    return app.run((ctx) =>
      ctx.db.insertReturningId(EmployeeAddress, { employee_number, email, email_key: email, created_at: ctx.now }),
    );
  },
  'admin /contacts.php?identity_id': async (whose) => {
    const { app, parents, person } = whose;
    const { company_number } = person;
    const named = await app.app.database.findOneBy(Employee, { employee_number: Number(parents[0]), company_number });
    const employee_number = named?.employee_number ?? (await colleague(whose));
    return identity({ ...whose, person: { ...person, employee_number } });
  },
  'admin DELETE /contacts.php?action=second-factor&id={id}': secondFactor,
  'admin /notifications.php?subscription_id': async ({ app, person }) =>
    app.app.database.insertReturningId(PushSubscription, {
      ...{ user_id: person.user_id ?? (await seedTechnician(app)).user_id, session_id: 0, access_version: 1 },
      ...{ endpoint_hash: newId(), sealed: '', device: 'Browser', created_at: app.clock.now() },
    }),
  'admin /discovery/results.php?id': result,
  'admin /discovery/queue.php?id': async ({ app, person }) => (await scanOf(app, person)).job_id,
  'admin /contracts.php?id': contract,
  'admin /contracts.php?attachment_id': attachmentOf(Contract),
  'admin /domains.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/domains.php', { company_number, domain_name: 'a.example' }),
  'admin /licenses.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/licenses.php', { company_number, name: 'Office' }),
  'admin /kb/articles.php?id': ({ make }) => make('admin', '/kb/articles.php', { title: 'VPN', content: 'Text' }),
  'admin /reports/spreadsheets.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/reports/spreadsheets.php', { company_number, name: 'Sheet', spreadsheet_id: `sheet-${newId()}` }),
  'admin /kb/categories.php?id': ({ make }) => make('admin', '/kb/categories.php', { name: unique('Category') }),
  'admin /kb/articles.php?attachment_id': attachmentOf(KbArticle),
  'admin /manager-groups.php?company_number': async ({ person }) => person.company_number,
  'admin /manager-groups.php?id': (whose) => group(whose),
  'admin /company-services.php?company_number': async ({ person }) => person.company_number,
  'admin /monitoring/alerts.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/monitoring/alerts.php', { company_number, alert_type: 'test', message: newId() }),
  'admin /networks.php?id': network,
  'admin /outage-services.php?id': outageService,
  'admin /outage-subscribers.php?company_number': async ({ person }) => person.company_number,
  'admin /outage-subscribers.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/outage-subscribers.php', { company_number, email: `${newId()}@example.com` }),
  'admin /outages.php?id': async ({ make, person: { company_number } }) => {
    const service_id = await outageService({ make });
    return make('admin', '/outages.php', { service_id, company_number, title: unique('Outage') });
  },
  'admin /projects.php?id': project,
  'admin /projects.php?phase_id': phase,
  'admin /projects.php?milestone_id': async (whose) => (await milestone(whose)).milestone_id,
  'admin /projects.php?item_id': punchItem,
  'admin /projects/punch-list.php?id': punchItem,
  'admin /projects/punch-list.php?attachment_id': attachmentOf(PunchItem),
  'admin /reports.php?id': ({ make }) => make('admin', '/reports.php', { name: unique('Report'), source: 'tickets' }),
  'admin /reports/fields.php?source': async () => 'tickets',
  'admin /settings/api-keys.php?id': async ({ app }) => (await seedKey(app, 'admin')).row.key_id,
  'admin /settings/email-templates.php?id': async ({ app }) =>
    (await app.app.database.findOneBy(StoredTemplate, { key: 'invoice_sent' }))?.template_id ?? 0,
  'admin /settings/identity-providers.php?key': identityProvider,
  'admin /settings/mails.php?id': failedMail,
  'admin /sites.php?id': async ({ app, person }) =>
    (await seedSite(app, person.company_number, unique('Site'))).site_number,
  'admin /technicians.php?id': async ({ app }) => (await seedTechnician(app, 'technician')).user_id,
  'admin /technicians.php?session_id': technicianSession,
  'admin /technicians.php?identity_id': ({ app, person: { user_id } }) => technicianIdentity(app, user_id),
  'admin DELETE /technicians.php?action=linked-identities&id={id}': async ({ app }) => {
    const { user_id } = await seedTechnician(app, 'technician');
    await technicianIdentity(app, user_id);
    return user_id;
  },
  'admin DELETE /technicians.php?action=second-factor&id={id}': technicianFactor,
  'admin /tickets.php?id': ticket,
  'admin /tickets.php?attachment_id': attachmentOf(Ticket),
  'admin /vendors.php?id': ({ make }) => make('admin', '/vendors.php', { name: unique('Vendor') }),
  'admin /vlans.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/vlans.php', { company_number, name: 'V', vlan_number: nextVlan() }),
  'admin /reply-templates.php?id': replyTemplate,
  'admin /timers.php?id': timer,
  'admin /imports.php?id': importRun('technician'),
  'admin /views.php?id': savedView,
  'admin /webhooks.php?id': ({ app, side }) => webhook(app, side === 'own' ? 'admin' : 'crm'),
  'admin /webhooks.php?delivery_id': delivery,
  'admin /workflows.php?id': workflow,

  'crm /activities/{id}': async ({ make }) =>
    make('crm', '/activities', { ...(await ofLead(make)), type: 'call', subject: 'Offer' }),
  'crm /custom-fields/{id}': ({ make }) =>
    make('crm', '/custom-fields', { entity_type: 'lead', label: unique('Field'), field_type: 'text' }),
  'crm /leads/{id}': lead,
  'crm /notes/{id}': async ({ make }) => make('crm', '/notes', { ...(await ofLead(make)), content: 'Called back' }),
  'crm /opportunities/{id}': ({ make }) => make('crm', '/opportunities', { name: unique('Opportunity') }),
  'crm /people/{id}': ({ make }) => make('crm', '/people', { first_name: 'Pia', last_name: unique('Person') }),
  'crm /prospects/{id}': ({ make }) => make('crm', '/prospects', { name: unique('Prospect') }),
  'crm /webhooks/{id}': ({ app, side }) => webhook(app, side === 'own' ? 'crm' : 'admin'),
  'crm /webhooks/{id}/deliveries/{delivery_id}': delivery,
};

/** Loads the makers of the plugins' own records: plugins/<id>/test/_access-ids.ts. */
async function ofPlugins(): Promise<Makers> {
  const files = readdirSync(join(root, 'plugins')).map((id) => join(root, 'plugins', id, 'test/_access-ids.ts'));
  const found = await Promise.all(
    files.filter((file) => existsSync(file)).map((file) => import(pathToFileURL(file).href)),
  );
  return Object.assign({}, ...found.map((each: { default: Makers }) => each.default)) as Makers;
}

/** Returns the name of an id in access-matrix.md: `helpdesk /tickets/{id}`, `admin /tickets.php?id`. */
export function idsOf({ surface, path }: Route, { name, key, from }: Parameter): string {
  const [file = ''] = plainPath(path).split('?');
  if (from === 'query') return `${surface.id} ${file}?${key}`;
  return `${surface.id} ${file.slice(0, file.indexOf(`{${name}}`))}{${name}}`;
}

/**
 * Returns the maker for an id.
 * @throws Error in one sentence if none is declared
 */
export function makerOf(known: Makers, route: Route, param: Parameter): Maker {
  const ids = idsOf(route, param);
  const maker = known[route.name] ?? known[ids];
  if (!maker) throw new Error(`No maker for the record "${ids}": add a line to test/_access-ids.ts`);
  return maker;
}

async function collectorOf(app: TestApp, { company_number }: Person) {
  return seedCollector(app, await placeIn(app, company_number));
}

async function scanOf(app: TestApp, { company_number }: Person) {
  const place = await placeIn(app, company_number);
  return app.run((ctx) => startScan(ctx, { ...place, subnet: '192.0.2.0/24' }));
}

/** Creates a device that matched an existing asset. A company's collectors report one after another. */
function result(whose: Whose): Promise<Id> {
  const made = reports.last.then(() => reportTwice(whose));
  reports.last = made.catch(() => undefined);
  return made;
}

const reports: { last: Promise<unknown> } = { last: Promise.resolve() };

async function reportTwice({ app, person }: Whose): Promise<Id> {
  const collector = await collectorOf(app, person);
  const hostname = newId();
  const sync = (device: object) => collector.send('POST', '/connect/sync/discovery.php', { devices: [device] });
  await sync({ hostname });
  await sync({ hostname, mac_address: `02${hostname.slice(-10).replaceAll(/../g, ':$&')}` });
  const [found] = await app.app.database.findBy(DiscoveryResult, { hostname, state: 'matched' });
  return found?.result_id ?? 0;
}

/** Creates a command for the calling collector, or for another one. */
async function command(whose: Whose): Promise<Id> {
  const { app, side, person } = whose;
  const [first] = await app.app.database.findBy(Collector, { name: 'of the matrix' });
  const { collector_id } = side === 'own' && first ? first : await collectorOf(app, person);
  const { job_id, company_number, site_number } = await scanOf(app, person);
  const at = app.app.clock.now();
  const sent = { command_type: 'scan', parameters: {}, status: 'sent', created_at: at, sent_at: at } as const;
  return app.app.database.insertReturningId(CollectorCommand, {
    ...sent,
    collector_id,
    job_id,
    company_number,
    site_number,
  });
}

let networks = 0;
let vlans = 0;
/** Network addresses and VLAN numbers are unique within a company. */
const nextVlan = () => (vlans = (vlans % 4094) + 1);

async function network({ app, person: { company_number } }: Whose): Promise<number> {
  const network_address = `10.${++networks >> 8}.${networks & 255}.0/24`;
  const given = { company_number, description: 'LAN', network_address };
  return (await app.run((ctx) => createNetwork(ctx, given))).network_id;
}

/** Assigns a license to the asset in the path. */
async function note(whose: Whose) {
  const { make, side, parents } = whose;
  const id = side === 'own' ? parents.at(-1) : await ticket(whose);
  return make('admin', `/tickets.php?action=comments&id=${id}`, { comment: 'Seen it', is_internal: true });
}

async function recurringTicket({ app, make, person: { company_number } }: Whose): Promise<Id> {
  const template = await make('admin', '/ticket-templates.php', { name: unique('Template'), subject: 'Check backups' });
  const body = {
    template_id: Number(template),
    company_numbers: [company_number],
    starts_on: '2026-03-02',
    time: '09:00',
  };
  const { recurring_id } = await app.run((ctx) =>
    createRecurring(ctx, { ...body, name: unique('Check'), rrule: 'FREQ=DAILY' }),
  );
  return recurring_id;
}

async function checklistItem(whose: Whose): Promise<Id> {
  const { app, side, parents } = whose;
  const ticket_id = Number(side === 'own' ? parents.at(-1) : await ticket(whose));
  const row = { ticket_id, position: 1, title: 'Call back' };
  return app.run((ctx) => ctx.db.insertReturningId(TicketChecklistItem, { ...row, created_at: ctx.now }));
}

async function watcher(whose: Whose) {
  const { app, person, side, parents } = whose;
  const ticket_id = Number(side === 'own' ? parents.at(-1) : await ticket(whose));
  const { employee_number } = person;
  return app.run(async (ctx) => {
    await addWatcher(ctx, await lockTicket(ctx, ticket_id), { employee_number });
    return (await ctx.db.findOneBy(TicketWatcher, { ticket_id }))?.watcher_id ?? 0;
  });
}

async function timeEntry(whose: Whose) {
  const { make, side, parents } = whose;
  const id = side === 'own' ? parents.at(-1) : await ticket(whose);
  return make('admin', `/tickets.php?action=time-entries&id=${id}`, { duration_minutes: 5 });
}

async function linkedLicense({ app, side, parents, person: { company_number } }: Whose): Promise<number> {
  const asset_ids = side === 'own' ? [Number(parents[0])] : [];
  return (await app.run((ctx) => createLicense(ctx, { company_number, name: 'Office', asset_ids }))).license_id;
}

async function asset({ app, person: { company_number } }: Whose): Promise<number> {
  return (await seedAsset(app, { company_number })).asset_id;
}

async function port(whose: Whose): Promise<number> {
  const asset_id = await namedAsset(whose);
  return whose.app.run(
    async (ctx) => (await addPort(ctx, await lockAsset(ctx, asset_id), { port_name: newId() })).port_id,
  );
}

async function login(whose: Whose): Promise<number> {
  const asset_id = await namedAsset(whose);
  return whose.app.run(
    async (ctx) => (await addCredential(ctx, await lockAsset(ctx, asset_id), { label: 'Root' })).login_id,
  );
}

/** Returns the asset in the path if it is in the same company; otherwise another one. */
async function namedAsset(whose: Whose): Promise<number> {
  const { app, parents, person } = whose;
  const { company_number } = person;
  const named = await app.app.database.findOneBy(Asset, { asset_id: Number(parents[0]), company_number });
  return named ? named.asset_id : asset(whose);
}

async function portalArticle({ make, person: { company_number } }: Whose): Promise<Id> {
  return make('admin', '/kb/articles.php', { title: 'VPN', content: 'Text', visibility: 'public', company_number });
}

async function project({ app, person: { company_number } }: Whose): Promise<number> {
  return (await app.run((ctx) => create(ctx, Projects, { company_number, name: unique('Project') }))).project_id;
}

/** Returns the project in the path if the record must belong to it; otherwise another one. */
async function projectFor(whose: Whose): Promise<number> {
  const { app, side, parents } = whose;
  const project_id = Number(parents[0] ?? 0);
  const named = side === 'own' && (await app.app.database.findOneBy(Project, { project_id }));
  return named ? project_id : project(whose);
}

async function phase(whose: Whose): Promise<number> {
  const project_id = await projectFor(whose);
  return whose.app.run(
    async (ctx) => (await createPhase(ctx, await lockProject(ctx, project_id), { name: 'Build' })).phase_id,
  );
}

async function appointment({ app }: Whose, more: Partial<NewAppointment> = {}): Promise<number> {
  const { user_id } = await seedTechnician(app);
  return app.run(async (ctx) => {
    const [starts_at, ends_at] = [plus(ctx.now, { days: 2 }), plus(ctx.now, { days: 2, hours: 1 })];
    return (await planAppointment(ctx, { user_id, starts_at, ends_at, ...more })).appointment_id;
  });
}

async function calendarFeed({ app, person }: Whose): Promise<number> {
  const user_id = person.user_id ?? (await seedTechnician(app)).user_id;
  return app.run((ctx) =>
    ctx.db.insertReturningId(CalendarFeed, {
      ...{ user_id, kind: 'own', team_id: null, busy_only: false, nonce: newId(), created_at: ctx.now },
    }),
  );
}

/** Creates a visit for the ticket in the path, to be confirmed by its requester. */
async function askedAppointment(whose: Whose): Promise<number> {
  const ticket_id = Number(whose.side === 'own' ? whose.parents.at(-1) : await ticket(whose));
  const { requester_employee_number } = await whose.app.run((ctx) => lockTicket(ctx, ticket_id));
  return appointment(whose, { ticket_id, kind: 'visit', employee_number: requester_employee_number });
}

async function milestone(whose: Whose) {
  const project_id = await projectFor(whose);
  return whose.app.run(async (ctx) => createMilestone(ctx, await lockProject(ctx, project_id), { name: 'Done' }));
}

async function submittedMilestone(whose: Whose): Promise<number> {
  const row = await milestone({ ...whose, parents: [] });
  return whose.app.run(async (ctx) => (await submitMilestone(ctx, row)).milestone_id);
}

async function punchItem(whose: Whose): Promise<number> {
  const project_id = await projectFor(whose);
  const [item] = await whose.app.run(async (ctx) =>
    submitItems(ctx, await lockProject(ctx, project_id), [{ description: 'A scratch' }]),
  );
  return item?.item_id ?? 0;
}

function invoice({ make, person: { company_number } }: Whose, more: object = {}): Promise<Id> {
  const line_items = [{ description: 'Work', unit_price: 100 }];
  return make('admin', '/billing/invoices.php', { company_number, line_items, ...more });
}

function sentInvoice(whose: Whose): Promise<Id> {
  return invoice(whose, { status: 'sent' });
}

async function creditNote(whose: Whose): Promise<Id> {
  const invoice_id = await sentInvoice(whose);
  return whose.make('admin', '/billing/credit-notes.php', { invoice_id, reason: 'Wrong' });
}

function proposal({ make, person: { company_number } }: Whose): Promise<Id> {
  const line_items = [{ description: 'Work', unit_price: 100 }];
  return make('admin', '/billing/proposals.php', { company_number, title: 'Offer', line_items });
}

async function sentProposal({ app, person: { company_number } }: Whose): Promise<Id> {
  return (await seedProposal(app, { company_number })).proposal_id;
}

async function subscription({ app, person: { company_number } }: Whose): Promise<Id> {
  return (await seedSubscription(app, company_number)).subscription_id;
}

async function payment(whose: Whose): Promise<Id> {
  return whose.make('admin', '/billing/payments.php', { invoice_id: await sentInvoice(whose), amount: 1 });
}

function contract({ make, person: { company_number } }: Whose): Promise<Id> {
  return make('admin', '/contracts.php', { company_number, name: 'Care', start_date: '2026-01-01' });
}

async function colleague({ app, person: { company_number } }: Whose): Promise<number> {
  return (await seedEmployee(app, { company_number })).employee_number;
}

async function report({ app, person: { employee_number, company_number } }: Whose): Promise<Id> {
  const { created_at, updated_at } = { created_at: app.clock.now(), updated_at: app.clock.now() };
  const lists = {
    fields: [],
    filters: [],
    aggregates: [],
    sort: [],
    group_by: null,
    schedule: null,
    next_run_at: null,
  };
  const owner = { surface: 'helpdesk', company_number, owner_type: 'employee', owner_id: employee_number } as const;
  const named = { name: unique('Report'), source: 'tickets', created_by: 'Somebody', last_run_at: null };
  return app.app.database.insertReturningId(Report, { ...owner, ...named, ...lists, created_at, updated_at });
}

async function chat({ app: { app }, person: { employee_number, company_number } }: Whose): Promise<Id> {
  const [started_at, last_active_at] = [app.clock.now(), app.clock.now()];
  const row = { source: 'employee', person_name: 'Erin', started_at, last_active_at } as const;
  return app.database.insertReturningId(Chat, { ...row, company_number, employee_number });
}

async function savedSearch({ app: { app, clock }, person: { employee_number } }: Whose): Promise<Id> {
  const name = unique('Search');
  const what = { query: 'printer', types: [], filters: {} };
  const created_at = clock.now();
  return app.database.insertReturningId(SavedSearch, {
    employee_number,
    name,
    name_key: name.toLowerCase(),
    ...what,
    created_at,
  });
}

async function session({ app: { app }, person: { employee_number } }: Whose): Promise<Id> {
  return app.database.insertReturningId(EmployeeSession, {
    employee_number,
    token_hash: newId(),
    revoked_at: null,
    ...life(app),
  });
}

async function identity({ app: { app }, person: { employee_number } }: Whose): Promise<Id> {
  const times = { created_at: app.clock.now(), last_used_at: app.clock.now() };
  const issuer = `https://${unique('id')}.example`;
  return app.database.insertReturningId(LinkedIdentity, { employee_number, issuer, subject: newId(), ...times });
}

async function technicianIdentity({ app }: TestApp, user_id: number): Promise<Id> {
  const times = { created_at: app.clock.now(), last_used_at: app.clock.now() };
  const issuer = `https://${unique('id')}.example`;
  return app.database.insertReturningId(TechnicianIdentity, { user_id, issuer, subject: newId(), ...times });
}

async function technicianSession({ app: { app }, person: { user_id } }: Whose): Promise<Id> {
  return app.database.insertReturningId(TechnicianSession, { user_id, token_hash: newId(), ...life(app) });
}

function life({ clock }: App) {
  const now = clock.now();
  return { access_version: 1, created_at: now, last_used_at: now, expires_at: plus(now, { hours: 1 }) };
}

async function secondFactor(whose: Whose): Promise<Id> {
  const employee_number = await colleague(whose);
  await factorOf(whose.app, { employee_number });
  return employee_number;
}

async function technicianFactor({ app }: Whose): Promise<Id> {
  const { user_id } = await seedTechnician(app, 'technician');
  await factorOf(app, { user_id });
  return user_id;
}

async function factorOf({ app }: TestApp, owner: { employee_number: number } | { user_id: number }): Promise<void> {
  const at = app.clock.now();
  await app.database.insert(SecondFactor, { ...owner, sealed_key: 'sealed', created_at: at, enabled_at: at });
}

async function group({ app, person }: Whose, people: object = {}): Promise<string> {
  const code = unique('group').replace(' ', '-');
  await app.run((ctx) => createGroup(ctx, person.company_number, { name: code, code, ...people }));
  return code;
}

/** Adds a person to the group in the path if it is in the same company; otherwise to another group. */
async function inGroup(whose: Whose, role: 'managers' | 'members'): Promise<Id> {
  const employee_number = await colleague(whose);
  const { company_number } = whose.person;
  await whose.app.run(async (ctx) => {
    const named = await ctx.db.findOneBy(ManagerGroup, {
      company_number,
      code: String(whose.parents[0]),
      deleted_at: IsNull(),
    });
    if (named) await addPerson(ctx, named, employee_number, role === 'managers' ? 'manager' : 'member');
  });
  return employee_number;
}

async function ticket({ app, person: { employee_number, company_number } }: Whose): Promise<Id> {
  return (await seedTicket(app, { employee_number, company_number })).ticket_id;
}

/** Creates a ticket that awaits the person's approval, or a colleague's if the person is not a manager. */
async function pendingTicket(whose: Whose): Promise<Id> {
  const { app, person } = whose;
  const member = await seedEmployee(app, { company_number: person.company_number });
  const manager = person.ismgr ? person.employee_number : await colleague(whose);
  const people = { managers: [manager], members: [member.employee_number], require_approval: true };
  await group(whose, people);
  const send = await asEmployee(app, member);
  const { body } = await send('POST', '/tickets', { subject: 'A laptop', description: 'Please', job_type: 'Hardware' });
  return body.ticket_id;
}

/** Creates an attachment of the record in the path, or of another one. */
function attachmentOf(table: Table): Maker {
  return ({ app, side, parents }) =>
    attachTo(app, table, { id: Number(parents.at(-1)) + (side === 'own' ? 0 : 1_000_000) });
}

async function identityProvider({ app }: Whose): Promise<string> {
  const client = { issuer: 'https://id.example.com', client_id: 'id', client_secret: 'secret' };
  const given = { ...client, name: '', domains: [], companies: [], audience: 'everyone' as const };
  await app.run(async (ctx) => storeProvider(ctx, 'okta', await wantedProvider(ctx, 'okta', given)));
  return 'okta';
}

async function failedMail({ app: { app } }: Whose): Promise<Id> {
  const mail_id = newId();
  const recipient = { recipient_name: 'Erin', recipient_address: 'erin@example.com' };
  const rest = { state: 'failed', data: app.vault.seal('{}', 'x'), created_at: app.clock.now() } as const;
  await app.database.insert(Mail, { mail_id, template: 'invitation', ...recipient, ...rest });
  return mail_id;
}

async function savedView({ app, person: { user_id } }: Whose): Promise<Id> {
  const empty = { list: 'tickets', query: {}, columns: [] };
  const title = unique('View');
  return app.run((ctx) =>
    ctx.db.insertReturningId(SavedView, { ...empty, user_id, title, title_key: title, ...stamps(ctx) }),
  );
}

async function replyTemplate({ app, person: { user_id } }: Whose): Promise<Id> {
  const title = unique('Reply');
  const row = { user_id, title, title_key: title, text: 'Hello {{requester}}' };
  return app.run((ctx) => ctx.db.insertReturningId(ReplyTemplate, { ...row, ...stamps(ctx) }));
}

function importRun(author_type: 'technician' | 'employee'): Maker {
  return ({ app, person: { user_id, employee_number, company_number } }) => {
    const whose =
      author_type === 'technician' ? { author_id: user_id } : { author_id: employee_number, company_number };
    const row = { noun: 'contacts', status: 'done', author_type, ...whose } as const;
    return app.run((ctx) => ctx.db.insertReturningId(ImportRun, { ...row, ...stamps(ctx) }));
  };
}

async function timer(whose: Whose): Promise<Id> {
  const ticket_id = Number(await ticket(whose));
  const { user_id } = whose.person;
  return whose.app.run((ctx) => ctx.db.insertReturningId(Timer, { user_id, ticket_id, created_at: ctx.now }));
}

const stamps = ({ now }: Context) => ({ created_at: now, updated_at: now });

async function calendar({ app }: Whose): Promise<Id> {
  const row = { name: unique('Calendar'), time_zone: 'UTC', hours: [] };
  return (await app.run((ctx) => createCalendar(ctx, row))).calendar_id;
}

const team = (app: TestApp) => app.run((ctx) => createTeam(ctx, { name: unique('Team') }));

async function mailbox({ app }: Whose): Promise<Id> {
  const row = { name: 'Support', address: 'support@provider.example', username: 'support' } as const;
  // Nothing listens there.
  const server = { host: '127.0.0.1', port: 1, security: 'none' } as const;
  return app.run((ctx) => ctx.db.insertReturningId(Mailbox, { ...row, ...server, active: false, created_at: ctx.now }));
}

async function webhook(app: TestApp, registry: 'admin' | 'crm'): Promise<Id> {
  const events = registry === 'crm' ? ['lead.created'] : ['ticket.created'];
  // Nothing listens there, and an IP address needs no DNS lookup.
  const made = await app.run((ctx) => createWebhook(ctx, registry, { url: 'http://127.0.0.1:1/', events }));
  return made.webhook.webhook_id;
}

async function workflow({ app }: Whose): Promise<Id> {
  const actions = [{ type: 'set_priority', priority: 2 } as const];
  const made = await app.run((ctx) => createWorkflow(ctx, { name: 'Calm', trigger: { type: 'manual' }, actions }));
  return made.workflow.workflow_id;
}

/** Creates a delivery to the webhook in the path, or to another one. */
async function delivery({ app: { app }, side, parents }: Whose): Promise<Id> {
  const event_id = newId();
  const at = app.clock.now();
  await app.database.insert(StoredEvent, { event_id, name: 'ticket.created', at, data: {} });
  const subscriber = `webhook:${side === 'own' ? parents[0] : Number(parents[0]) + 1_000_000}`;
  return app.database.insertReturningId(Delivery, { event_id, subscriber, state: 'parked', available_at: at });
}

function outageService({ make }: Pick<Whose, 'make'>): Promise<Id> {
  return make('admin', '/outage-services.php', { name: unique('Service') });
}

async function backup({ app, person: { company_number } }: Whose): Promise<BackupRecord> {
  const machine_name = unique('Server');
  await app.run((ctx) => reportBackups(ctx, [{ company_number, machine_name }]));
  const row = await app.app.database.findOneBy(BackupRecord, { company_number, machine_name });
  if (!row) throw new Error('No backup was reported');
  return row;
}

async function restoreRequest({ app, person: { company_number } }: Whose): Promise<Id> {
  const employee = await seedEmployee(app, { company_number });
  const send = await asEmployee(app, employee);
  return (await send('POST', '/backup/restore-requests', { description: 'Everything' })).body.request_id;
}

async function drill({ make, person: { company_number } }: Whose): Promise<Id> {
  return make('admin', '/backup/drills.php', { company_number, subject: 'Mail', result: 'passed' });
}

function lead({ make }: Pick<Whose, 'make'>): Promise<Id> {
  return make('crm', '/leads', { first_name: 'Lea', email: `${newId()}@example.com` });
}

async function ofLead(make: Whose['make']) {
  return { entity_type: 'lead', entity_id: await lead({ make }) };
}
