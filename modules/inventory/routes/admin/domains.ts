import {
  admin,
  change,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  showOne,
  z,
} from '@keelson/core';
import { domainName } from '../../domains/domain-name.ts';
import { createDomain, DomainItem, Domains } from '../../domains/domains.ts';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';

const required = { company_number: input.id(), domain_name: domainName() };
const optional = {
  registrar: input.optionalText(255),
  registered_at: input.clearable(input.day()),
  expires_at: input.clearable(input.day()),
  auto_renew: input.optional(input.flag()),
  name_servers: z.array(domainName()).max(20).optional(),
  notes: input.optionalLongText(),
};

export default [
  admin.get('/domains.php', {
    title: 'List all domains',
    access: ReadNetworks,
    addition: true,
    query: admin.paging(DomainItem.query),
    returns: list(DomainItem),
    handle: (ctx, { query }) => pageOf(ctx, DomainItem, query),
  }),
  admin.post('/domains.php', {
    title: 'Create a domain',
    access: WriteNetworks,
    addition: true,
    body: z.object({ ...required, ...optional }),
    returns: created(DomainItem),
    handle: (ctx, { body }) => showOne(ctx, DomainItem, createDomain(ctx, body)),
  }),
  admin.get('/domains.php?id={id}', {
    title: 'Read a domain',
    access: ReadNetworks,
    addition: true,
    returns: item(DomainItem),
    load: (ctx, { id }) => findOr404(ctx, Domains, id),
    handle: (ctx, { item: domain }) => showOne(ctx, DomainItem, domain),
  }),
  admin.put('/domains.php?id={id}', {
    title: 'Update a domain',
    access: WriteNetworks,
    addition: true,
    body: input.changes({ ...required, ...optional }),
    returns: item(DomainItem),
    load: (ctx, { id }) => lock(ctx, Domains, id),
    handle: (ctx, { item: domain, body }) => showOne(ctx, DomainItem, change(ctx, Domains, domain, body)),
  }),
  admin.delete('/domains.php?id={id}', {
    title: 'Delete a domain',
    access: WriteNetworks,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Domains, id),
    handle: (ctx, { item: domain }) => remove(ctx, Domains, domain),
  }),
];
