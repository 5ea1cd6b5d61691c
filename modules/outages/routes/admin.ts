import { admin, all, created, input, item, list, nothing, param, z } from '@keelson/core';
import { findCompany, ReadCompanies, WriteCompanies } from '@keelson/modules/directory';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { outageStates, severities } from '../entities.ts';
import { listOutages, readOutage } from '../outage-list.ts';
import { createOutage, findOutage, statusWords, updateOutage } from '../outages.ts';
import { listCompanyServices } from '../portal-status.ts';
import {
  chooseServices,
  createService,
  deleteService,
  findService,
  listServices,
  showService,
  updateService,
} from '../services.ts';
import { CompanyServiceItem, OutageDetail, OutageItem, ServiceItem, SubscriberItem } from '../shapes.ts';
import { addSubscriber, findSubscriber, listSubscribers, removeSubscriber } from '../subscriber-list.ts';

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
    query: admin.paging({
      company_number: param.id(),
      service_id: param.id(),
      status: param.choice(outageStates, { all: true }),
    }),
    returns: list(OutageItem),
    handle: (ctx, { query }) => listOutages(ctx, query),
  }),
  admin.get('/outages.php?id={id}', {
    title: 'Read an outage with its history',
    access: ReadTickets,
    returns: item(OutageDetail),
    load: (ctx, { id }) => findOutage(ctx, id),
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
    load: (ctx, { id }) => findOutage(ctx, id),
    handle: async (ctx, { item: outage, body }) => readOutage(ctx, await updateOutage(ctx, outage, body)),
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
    load: (ctx, { id }) => findService(ctx, id),
    handle: (ctx, { item: service }) => showService(ctx, service),
  }),
  admin.post('/outage-services.php', {
    title: 'Create an outage service',
    access: WriteTickets,
    addition: true,
    body: z.object({ name: input.text(255, { compared: true }), ...serviceFields }),
    returns: created(ServiceItem),
    handle: async (ctx, { body }) => showService(ctx, await createService(ctx, body)),
  }),
  admin.put('/outage-services.php?id={id}', {
    title: 'Update an outage service',
    access: WriteTickets,
    addition: true,
    body: input.changes({ name: input.text(255, { compared: true }), ...serviceFields }),
    returns: item(ServiceItem),
    load: (ctx, { id }) => findService(ctx, id),
    handle: async (ctx, { item: service, body }) => showService(ctx, await updateService(ctx, service, body)),
  }),
  admin.delete('/outage-services.php?id={id}', {
    title: 'Delete an outage service',
    access: WriteTickets,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => findService(ctx, id),
    handle: (ctx, { item: service }) => deleteService(ctx, service),
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
    title: 'List who is told of a company’s outages',
    access: ReadCompanies,
    addition: true,
    returns: all(SubscriberItem),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: company }) => listSubscribers(ctx, company.company_number),
  }),
  admin.post('/outage-subscribers.php', {
    title: 'Tell somebody of a company’s outages',
    access: WriteCompanies,
    addition: true,
    body: z.object({ company_number: input.id(), email: input.email(), name: input.optionalText(255) }),
    returns: created(SubscriberItem),
    handle: (ctx, { body }) => addSubscriber(ctx, body),
  }),
  admin.delete('/outage-subscribers.php?id={id}', {
    title: 'Tell somebody of outages no more',
    access: WriteCompanies,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => findSubscriber(ctx, id),
    handle: (ctx, { item: subscriber }) => removeSubscriber(ctx, subscriber),
  }),
];
