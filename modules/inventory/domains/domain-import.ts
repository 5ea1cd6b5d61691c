// Imports of domains.
import { nounImport } from '@keelson/core/record';
import { withNumbers } from '@keelson/modules/directory';
import { companyColumns, companyNames, noteColumns } from '../import-columns.ts';
import { WriteNetworks } from '../permissions.ts';
import { domainFields } from './domain-name.ts';
import { createDomain, Domains } from './domains.ts';

export const DomainImport = nounImport('domains', Domains, {
  title: 'Domains',
  access: WriteNetworks,
  fields: domainFields,
  names: companyNames,
  identity: ['company_number', 'domain_name'],
  resolve: withNumbers,
  create: createDomain,
  derive: (row) => {
    const { name_servers } = row;
    if (typeof name_servers === 'string') row['name_servers'] = name_servers.split(/[\s,;]+/).filter(Boolean);
  },
  columns: [
    {
      name: 'domain_name',
      label: 'Domain',
      type: 'text',
      required: true,
      max_length: 253,
      sample: 'example.com',
      aliases: ['domain name', 'name', 'fqdn', 'domain'],
    },
    {
      name: 'registrar',
      label: 'Registrar',
      type: 'text',
      aliases: ['provider', 'registered with', 'registrar name', 'anbieter'],
    },
    {
      name: 'registered_at',
      label: 'Registered',
      type: 'date',
      aliases: ['registration date', 'created', 'creation date', 'create date', 'date of creation', 'registriert am'],
    },
    {
      name: 'expires_at',
      label: 'Expires',
      type: 'date',
      aliases: [
        'expire',
        'expiry',
        'expiry date',
        'expiration',
        'expiration date',
        'renewal date',
        'date of expiration',
        'läuft ab',
        'ablaufdatum',
        'gültig bis',
      ],
    },
    { name: 'auto_renew', label: 'Renews automatically', type: 'boolean', aliases: ['auto-renew', 'auto renewal'] },
    { name: 'name_servers', label: 'Name servers', type: 'text', aliases: ['nameservers', 'ns', 'dns servers'] },
    ...companyColumns,
    ...noteColumns,
  ],
});
