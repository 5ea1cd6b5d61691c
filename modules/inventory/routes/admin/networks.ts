import { admin, created, findOr404, input, item, list, lock, nothing, pageOf, param, remove, z } from '@keelson/core';
import { FreeAddresses, readFreeAddresses } from '../../networks/free-addresses.ts';
import { NetworkDetail, readNetwork } from '../../networks/network-detail.ts';
import { createNetwork, NetworkItem, Networks, updateNetwork } from '../../networks/networks.ts';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';

const required = { company_number: input.id(), description: input.text(255), network_address: input.text(49) };
const optional = {
  gateway: input.optionalIp(),
  site_number: input.clearable(input.id()),
  dhcp_enabled: input.optional(input.flag()),
  dns_servers: z.array(input.ip()).max(20).optional(),
  notes: input.optionalLongText(),
};

export default [
  admin.get('/networks.php', {
    title: 'List all networks',
    access: ReadNetworks,
    query: admin.paging(NetworkItem.query),
    returns: list(NetworkItem),
    handle: (ctx, { query }) => pageOf(ctx, NetworkItem, query),
  }),
  admin.post('/networks.php', {
    title: 'Create a network',
    access: WriteNetworks,
    body: z.object({ ...required, subnet_mask: input.optionalText(45), ...optional }),
    returns: created(NetworkDetail),
    handle: async (ctx, { body }) => readNetwork(ctx, await createNetwork(ctx, body)),
  }),
  admin.get('/networks.php?id={id}', {
    title: 'Read a network with its VLANs and addresses',
    access: ReadNetworks,
    returns: item(NetworkDetail),
    load: (ctx, { id }) => findOr404(ctx, Networks, id),
    handle: (ctx, { item: network }) => readNetwork(ctx, network),
  }),
  admin.put('/networks.php?id={id}', {
    title: 'Update a network',
    access: WriteNetworks,
    body: input.changes({ ...required, subnet_mask: input.text(45), ...optional }),
    returns: item(NetworkDetail),
    load: (ctx, { id }) => lock(ctx, Networks, id),
    handle: async (ctx, { item: network, body }) => readNetwork(ctx, await updateNetwork(ctx, network, body)),
  }),
  admin.delete('/networks.php?id={id}', {
    title: 'Delete a network',
    access: WriteNetworks,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Networks, id),
    handle: (ctx, { item: network }) => remove(ctx, Networks, network),
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
