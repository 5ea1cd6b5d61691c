import { admin, findOr404, input, item, nounRoutes, param, z } from '@keelson/core';
import { FreeAddresses, readFreeAddresses } from '../../networks/free-addresses.ts';
import { NetworkDetail, readNetwork } from '../../networks/network-detail.ts';
import { createNetwork, NetworkItem, Networks, updateNetwork } from '../../networks/networks.ts';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';

export default [
  ...nounRoutes(admin, '/networks.php?id={id}', Networks, {
    titles: {
      list: 'List all networks',
      create: 'Create a network',
      read: 'Read a network with its VLANs and addresses',
      update: 'Update a network',
      delete: 'Delete a network',
    },
    read: ReadNetworks,
    write: WriteNetworks,
    view: NetworkItem,
    detail: { shape: NetworkDetail, show: readNetwork },
    fields: {
      company_number: input.id(),
      description: input.text(255),
      network_address: input.text(49),
      subnet_mask: input.text(45),
      gateway: input.optionalIp(),
      site_number: input.clearable(input.id()),
      dhcp_enabled: input.optional(input.flag()),
      dns_servers: z.array(input.ip()).max(20).optional(),
      notes: input.optionalLongText(),
      customer_notes: input.optionalLongText(),
    },
    newFields: { subnet_mask: input.optionalText(45) },
    create: createNetwork,
    change: updateNetwork,
  }),
  admin.get('/networks.php?action=free-addresses&id={id}', {
    title: 'List the free addresses of a network',
    access: ReadNetworks,
    addition: true,
    query: z.object({ after: param.text(45), limit: param.int(1, 256) }),
    returns: item(FreeAddresses),
    load: (ctx, { id }) => findOr404(ctx, Networks, id),
    handle: (ctx, { item: network, query }) => readFreeAddresses(ctx, network, { ...query, limit: query.limit ?? 20 }),
  }),
];
