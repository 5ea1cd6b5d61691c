import { admin, nounRoutes } from '@keelson/core';
import { importRoutes } from '@keelson/core/record';
import { DomainImport } from '../../domains/domain-import.ts';
import { domainFields } from '../../domains/domain-name.ts';
import { createDomain, DomainItem, Domains } from '../../domains/domains.ts';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';

export default [
  ...nounRoutes(admin, '/domains.php?id={id}', Domains, {
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
    fields: domainFields,
    create: createDomain,
  }),
  ...importRoutes(admin, '/domains.php', DomainImport),
];
