import {
  admin,
  all,
  change,
  create,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  show,
  showOne,
  z,
} from '@keelson/core';
import { findCompany, ReadCompanies, WriteCompanies } from '@keelson/modules/directory';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { OutageSubscriber, severities } from '../entities.ts';
import { Affected, NoticePreview, previewNotice, readAffected } from '../outages/notices.ts';
import { OutageDetail, OutageItem, readOutage } from '../outages/outage-list.ts';
import { createOutage, Outages, statusWords, updateOutage } from '../outages/outages.ts';
import { OutageSubscribers, SubscriberItem } from '../outages/subscriber-list.ts';
import { CompanyServiceItem } from '../shapes.ts';
import { listCompanyServices } from '../status/portal-status.ts';
import { chooseServices, listServices, OutageServices, ServiceItem, showService } from '../status/services.ts';

const serviceFields = {
  description: input.optionalLongText(),
  category: input.optionalText(100),
  active: input.optional(input.flag()),
};
const servicesOfCompany = '/company-services.php?company_number={id}';
const subscribersOfCompany = '/outage-subscribers.php?company_number={id}';

export default [
  admin.get('/outages.php', {
    title: 'List outages',
    access: ReadTickets,
    query: admin.paging(OutageItem.query),
    returns: list(OutageItem),
    handle: (ctx, { query }) => pageOf(ctx, OutageItem, query),
  }),
  admin.get('/outages.php?id={id}', {
    title: 'Read an outage with its history',
    access: ReadTickets,
    returns: item(OutageDetail),
    load: (ctx, { id }) => findOr404(ctx, Outages, id),
    handle: (ctx, { item: outage }) => readOutage(ctx, outage),
  }),
  admin.post('/outages.php', {
    title: 'Declare an outage or plan a window',
    access: WriteTickets,
    body: z.object({
      service_id: input.id(),
      company_number: input.clearable(input.id()),
      title: input.text(255),
      description: input.optionalLongText(),
      severity: input.optional(input.choice(severities)),
      status: input.optional(input.choice(['active', 'scheduled'])),
      started_at: input.clearable(input.timestamp()),
      scheduled_start: input.clearable(input.timestamp()),
      scheduled_end: input.clearable(input.timestamp()),
      notes: input.optionalLongText(),
      send_notification: input.optional(input.flag()),
    }),
    returns: created(OutageDetail),
    handle: async (ctx, { body }) => readOutage(ctx, await createOutage(ctx, body)),
  }),
  admin.put('/outages.php?id={id}', {
    title: 'Update an outage',
    access: WriteTickets,
    body: input.changes({
      status: input.choice(statusWords),
      title: input.text(255),
      description: input.optionalLongText(),
      severity: input.choice(severities),
      scheduled_start: input.clearable(input.timestamp()),
      scheduled_end: input.clearable(input.timestamp()),
      notes: input.optionalLongText(),
      send_notification: input.flag(),
    }),
    returns: item(OutageDetail),
    load: (ctx, { id }) => lock(ctx, Outages, id),
    handle: async (ctx, { item: outage, body }) => readOutage(ctx, await updateOutage(ctx, outage, body)),
  }),
  admin.get('/outages.php?action=affected&id={id}', {
    title: 'List the companies that an outage affects',
    access: ReadTickets,
    addition: true,
    returns: item(Affected),
    load: (ctx, { id }) => findOr404(ctx, Outages, id),
    handle: (ctx, { item: outage }) => readAffected(ctx, outage),
  }),
  admin.post('/outages.php?action=preview&id={id}', {
    title: 'Preview the notice of an outage update',
    access: WriteTickets,
    addition: true,
    unlogged: true,
    body: z.object({
      status: input.optional(input.choice(statusWords)),
      notes: input.optionalLongText(),
    }),
    returns: item(NoticePreview),
    load: (ctx, { id }) => findOr404(ctx, Outages, id),
    handle: (ctx, { item: outage, body }) =>
      previewNotice(ctx, outage, { status: body.status ?? outage.status, notes: body.notes ?? '' }),
  }),
  admin.get('/outage-services.php', {
    title: 'List outage services',
    access: ReadTickets,
    returns: all(ServiceItem),
    handle: (ctx) => listServices(ctx),
  }),
  admin.get('/outage-services.php?id={id}', {
    title: 'Read an outage service',
    access: ReadTickets,
    addition: true,
    returns: item(ServiceItem),
    load: (ctx, { id }) => findOr404(ctx, OutageServices, id),
    handle: (ctx, { item: service }) => showService(ctx, service),
  }),
  admin.post('/outage-services.php', {
    title: 'Create an outage service',
    access: WriteTickets,
    addition: true,
    body: z.object({ name: input.text(255, { compared: true }), ...serviceFields }),
    returns: created(ServiceItem),
    handle: async (ctx, { body }) => showService(ctx, await create(ctx, OutageServices, body)),
  }),
  admin.put('/outage-services.php?id={id}', {
    title: 'Update an outage service',
    access: WriteTickets,
    addition: true,
    body: input.changes({ name: input.text(255, { compared: true }), ...serviceFields }),
    returns: item(ServiceItem),
    load: (ctx, { id }) => lock(ctx, OutageServices, id),
    handle: async (ctx, { item: service, body }) => showService(ctx, await change(ctx, OutageServices, service, body)),
  }),
  admin.delete('/outage-services.php?id={id}', {
    title: 'Delete an outage service',
    access: WriteTickets,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, OutageServices, id),
    handle: (ctx, { item: service }) => remove(ctx, OutageServices, service),
  }),
  admin.get(servicesOfCompany, {
    title: 'List a company’s services',
    access: ReadCompanies,
    returns: all(CompanyServiceItem),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: company }) => listCompanyServices(ctx, company.company_number),
  }),
  admin.put(servicesOfCompany, {
    title: 'Choose a company’s services',
    access: WriteCompanies,
    addition: true,
    body: z.object({ service_ids: z.array(input.id()).max(500) }),
    returns: all(CompanyServiceItem),
    load: (ctx, { id }) => findCompany(ctx, id),
    async handle(ctx, { item: company, body }) {
      await chooseServices(ctx, company.company_number, body.service_ids);
      return listCompanyServices(ctx, company.company_number);
    },
  }),
  admin.get(subscribersOfCompany, {
    title: 'List the subscribers to a company’s outages',
    access: ReadCompanies,
    addition: true,
    returns: all(SubscriberItem),
    load: (ctx, { id }) => findCompany(ctx, id),
    async handle(ctx, { item: { company_number } }) {
      const subscribers = await ctx.db.find(OutageSubscriber, { where: { company_number }, order: { email: 'ASC' } });
      return show(ctx, SubscriberItem, subscribers);
    },
  }),
  admin.post('/outage-subscribers.php', {
    title: 'Subscribe an address to a company’s outages',
    access: WriteCompanies,
    addition: true,
    body: z.object({ company_number: input.id(), email: input.email(), name: input.optionalText(255) }),
    returns: created(SubscriberItem),
    handle: (ctx, { body }) => showOne(ctx, SubscriberItem, create(ctx, OutageSubscribers, body)),
  }),
  admin.delete('/outage-subscribers.php?id={id}', {
    title: 'Unsubscribe an address from outages',
    access: WriteCompanies,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => findOr404(ctx, OutageSubscribers, id),
    handle: (ctx, { item: subscriber }) => remove(ctx, OutageSubscribers, subscriber),
  }),
];
