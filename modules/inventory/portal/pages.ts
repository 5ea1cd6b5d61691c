import { portalPart, signedIn } from '@keelson/core';

const record = { access: signedIn, path: '/services', icon: 'layers' } as const;

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/services', title: 'Services', file: 'services', access: signedIn, nav: { icon: 'layers', order: 70 } },
    { path: '/services/networks/:id', title: 'Network', file: 'network', access: signedIn },
  ],
  records: [
    { ...record, type: 'license', title: 'License', read: 'GET /licenses', name: 'name', id: 'license_id' },
    { ...record, type: 'contract', title: 'Contract', read: 'GET /contracts', name: 'name', id: 'contract_id' },
    { ...record, type: 'domain', title: 'Domain', read: 'GET /domains', name: 'domain_name', id: 'domain_id' },
    {
      ...record,
      path: '/services/networks/:id',
      type: 'network',
      title: 'Network',
      read: 'GET /networks/{id}',
      find: 'GET /networks',
      name: 'network_address',
      id: 'network_id',
    },
  ],
});
