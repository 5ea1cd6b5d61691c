import { admin, input, nounRoutes, z } from '@keelson/core';
import { domainName } from '../../domains/domain-name.ts';
import { createDomain, DomainItem, Domains } from '../../domains/domains.ts';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';

export default nounRoutes(admin, '/domains.php?id={id}', Domains, {
  titles: {
    list: 'List all domains',
    create: 'Create a domain',
    read: 'Read a domain',
    update: 'Update a domain',
    delete: 'Delete a domain',
  },
  read: ReadNetworks,
  write: WriteNetworks,
  addition: true,
  view: DomainItem,
  fields: {
    company_number: input.id(),
    domain_name: domainName(),
    registrar: input.optionalText(255),
    registered_at: input.clearable(input.day()),
    expires_at: input.clearable(input.day()),
    auto_renew: input.optional(input.flag()),
    name_servers: z.array(domainName()).max(20).optional(),
    notes: input.optionalLongText(),
    customer_notes: input.optionalLongText(),
  },
  create: createDomain,
});
