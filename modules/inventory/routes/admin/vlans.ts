import {
  admin,
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
  z,
} from '@keelson/core';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';
import { readVlan, VlanDetail } from '../../vlans/vlan-detail.ts';
import { VlanItem, Vlans } from '../../vlans/vlans.ts';

const required = { company_number: input.id(), vlan_number: input.int(1, 4094), name: input.text(255) };
const optional = {
  description: input.optionalLongText(),
  network_id: input.clearable(input.id()),
  site_number: input.clearable(input.id()),
};

export default [
  admin.get('/vlans.php', {
    title: 'List VLANs',
    access: ReadNetworks,
    query: admin.paging(VlanItem.query),
    returns: list(VlanItem),
    handle: (ctx, { query }) => pageOf(ctx, VlanItem, query),
  }),
  admin.post('/vlans.php', {
    title: 'Create a VLAN',
    access: WriteNetworks,
    body: z.object({ ...required, ...optional }),
    returns: created(VlanDetail),
    handle: async (ctx, { body }) => readVlan(ctx, await create(ctx, Vlans, body)),
  }),
  admin.get('/vlans.php?id={id}', {
    title: 'Read a VLAN with its ports',
    access: ReadNetworks,
    returns: item(VlanDetail),
    load: (ctx, { id }) => findOr404(ctx, Vlans, id),
    handle: (ctx, { item: vlan }) => readVlan(ctx, vlan),
  }),
  admin.put('/vlans.php?id={id}', {
    title: 'Update a VLAN',
    access: WriteNetworks,
    body: input.changes({ ...required, ...optional }),
    returns: item(VlanDetail),
    load: (ctx, { id }) => lock(ctx, Vlans, id),
    handle: async (ctx, { item: vlan, body }) => readVlan(ctx, await change(ctx, Vlans, vlan, body)),
  }),
  admin.delete('/vlans.php?id={id}', {
    title: 'Delete a VLAN',
    access: WriteNetworks,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Vlans, id),
    handle: (ctx, { item: vlan }) => remove(ctx, Vlans, vlan),
  }),
];
