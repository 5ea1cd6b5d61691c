import { admin, findOr404, item, list, pageOf, param, z } from '@keelson/core';
import { ReadTickets, TicketItem } from '@keelson/modules/tickets';
import { Assets } from '../../assets/assets.ts';
import { ChangeItem } from '../../history/history.ts';
import { ReadAssets } from '../../permissions.ts';
import { MOST_DEPTH, readTopology, Topology } from '../../ports/topology.ts';

const { field } = ChangeItem.query;

export default [
  admin.get('/assets.php?action=topology&id={id}', {
    title: 'Read the topology of an asset',
    access: ReadAssets,
    query: z.object({ depth: param.int(1, MOST_DEPTH) }),
    returns: item(Topology),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: (ctx, { item: asset, query: { depth = MOST_DEPTH } }) => readTopology(ctx, asset, depth),
  }),
  admin.get('/assets.php?action=history&id={id}', {
    title: 'List the changes of an asset',
    access: ReadAssets,
    addition: true,
    query: admin.paging({ field }),
    returns: list(ChangeItem),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: (ctx, { item: { asset_id }, query }) => pageOf(ctx, ChangeItem, { ...query, asset_id }),
  }),
  admin.get('/assets.php?action=tickets&id={id}', {
    title: 'List the tickets about an asset',
    access: ReadTickets,
    addition: true,
    query: admin.paging({ status: TicketItem.query.status }),
    returns: list(TicketItem),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: (ctx, { item: { asset_id }, query }) => pageOf(ctx, TicketItem, { ...query, asset_id }),
  }),
];
