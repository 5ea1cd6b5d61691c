import {
  admin,
  administrators,
  all,
  created,
  findOr404,
  flat,
  forbidden,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  show,
  showOne,
  z,
} from '@keelson/core';
import { WriteAssets } from '@keelson/modules/assets';
import { ReadNetworks, WriteNetworks } from '@keelson/modules/inventory';
import { WriteSettings } from '@keelson/modules/system';
import { CollectorItem, findCollector, listCollectors } from '../collectors/collector-list.ts';
import { registerCollector, revokeCollector, updateCollector } from '../collectors/collectors.ts';
import { addWaiting, bringBack, mergeWaiting } from '../devices/decide.ts';
import { splitResult } from '../devices/split.ts';
import { changeDiscoverySettings, DiscoverySettings } from '../discovery-settings.ts';
import { JobItem, ResultItem, resultNoun } from '../scans/job-list.ts';
import { Jobs } from '../scans/job-states.ts';
import { startScan } from '../scans/scans.ts';
import { NewDevicesPerDay } from '../settings.ts';
import { Registered } from '../shapes.ts';

const config = z.record(z.string(), z.unknown());
const collector = '/connect/collectors.php?id={id:text}';
const NEEDS_ASSETS = 'Registering a collector requires the permission assets:write, which its token has';
const SCAN_TYPE = /^[a-z0-9_-]{1,32}$/;

export default [
  admin.get('/connect/collectors.php', {
    title: 'List collectors',
    access: ReadNetworks,
    returns: all(CollectorItem),
    handle: async (ctx) => show(ctx, CollectorItem, await listCollectors(ctx)),
  }),
  admin.get(collector, {
    title: 'Read a collector',
    addition: true,
    access: ReadNetworks,
    returns: item(CollectorItem),
    load: (ctx, { id }) => findCollector(ctx, id),
    handle: (ctx, { item: found }) => showOne(ctx, CollectorItem, found),
  }),
  admin.post('/connect/collectors.php', {
    title: 'Register a collector',
    access: administrators(WriteSettings),
    body: z.object({
      company_number: input.id(),
      site_number: input.id(),
      name: input.optionalText(255),
      config: input.optional(config),
    }),
    returns: flat(Registered, 201),
    async handle(ctx, { body }) {
      if (!WriteAssets.allows(ctx.actor)) throw forbidden(NEEDS_ASSETS);
      const { collector: made, token } = await registerCollector(ctx, body);
      const data = { ...(await showOne(ctx, CollectorItem, made)), collector_token: token };
      return { success: true as const, data, message: 'Store this token securely now: it is not shown again.' };
    },
  }),
  admin.put(collector, {
    title: 'Change the configuration of a collector',
    access: administrators(WriteSettings),
    body: input.changes({ name: input.optionalText(255), config }),
    returns: item(CollectorItem),
    load: (ctx, { id }) => findCollector(ctx, id, { lock: true }),
    handle: (ctx, { item: found, body }) => showOne(ctx, CollectorItem, updateCollector(ctx, found, body)),
  }),
  admin.delete(collector, {
    title: 'Revoke a collector',
    access: administrators(WriteSettings),
    returns: nothing(),
    load: (ctx, { id }) => findCollector(ctx, id, { lock: true }),
    handle: (ctx, { item: found }) => revokeCollector(ctx, found),
  }),
  admin.get('/discovery/queue.php', {
    title: 'List the discovery queue',
    access: ReadNetworks,
    query: admin.paging(JobItem.query),
    returns: list(JobItem),
    handle: (ctx, { query }) => pageOf(ctx, JobItem, query),
  }),
  admin.get('/discovery/queue.php?id={id}', {
    title: 'Read a discovery job',
    addition: true,
    access: ReadNetworks,
    returns: item(JobItem),
    load: (ctx, { id }) => findOr404(ctx, Jobs, id),
    handle: (ctx, { item: found }) => showOne(ctx, JobItem, found),
  }),
  admin.post('/discovery/scan.php', {
    title: 'Start a discovery scan',
    access: WriteNetworks,
    body: z.object({
      company_number: input.id(),
      site_number: input.id(),
      subnet: input.text(50),
      scan_type: input.optional(z.string().trim().regex(SCAN_TYPE, 'must be up to 32 characters of a-z, 0-9, _ and -')),
    }),
    returns: created(JobItem),
    handle: (ctx, { body }) => showOne(ctx, JobItem, startScan(ctx, body)),
  }),
  admin.get('/discovery/results.php', {
    title: 'List discovery results',
    access: ReadNetworks,
    query: admin.paging(ResultItem.query),
    returns: list(ResultItem),
    handle: (ctx, { query }) => pageOf(ctx, ResultItem, query),
  }),
  admin.get('/discovery/results.php?id={id}', {
    title: 'Read a discovery result',
    addition: true,
    access: ReadNetworks,
    returns: item(ResultItem),
    load: (ctx, { id }) => findOr404(ctx, resultNoun, id),
    handle: (ctx, { item: found }) => showOne(ctx, ResultItem, found),
  }),
  admin.post('/discovery/results.php?action=add&id={id}', {
    title: 'Add a held device as an asset',
    addition: true,
    access: WriteAssets,
    returns: item(ResultItem),
    load: (ctx, { id }) => lock(ctx, resultNoun, id),
    handle: async (ctx, { item: result }) => showOne(ctx, ResultItem, await addWaiting(ctx, result)),
  }),
  admin.post('/discovery/results.php?action=merge&id={id}', {
    title: 'Match a held device to an asset',
    addition: true,
    access: WriteAssets,
    body: z.object({ asset_id: input.optional(input.id()) }),
    returns: item(ResultItem),
    load: (ctx, { id }) => lock(ctx, resultNoun, id),
    handle: async (ctx, { item: result, body }) =>
      showOne(ctx, ResultItem, await mergeWaiting(ctx, result, body.asset_id)),
  }),
  admin.post('/discovery/results.php?action=restore&id={id}', {
    title: 'Restore the deleted asset of a device',
    addition: true,
    access: WriteAssets,
    returns: item(ResultItem),
    load: (ctx, { id }) => lock(ctx, resultNoun, id),
    handle: async (ctx, { item: result }) => showOne(ctx, ResultItem, await bringBack(ctx, result)),
  }),
  admin.get('/discovery/settings.php', {
    title: 'Read the limit of new devices',
    addition: true,
    access: ReadNetworks,
    returns: item(DiscoverySettings),
    handle: async (ctx) => ({ new_devices_per_day: await ctx.app.settings.get(ctx, NewDevicesPerDay) }),
  }),
  admin.put('/discovery/settings.php', {
    title: 'Update the limit of new devices',
    addition: true,
    access: administrators(WriteSettings),
    body: z.object({ new_devices_per_day: input.int(0, 100_000) }),
    returns: item(DiscoverySettings),
    handle: (ctx, { body }) => changeDiscoverySettings(ctx, body),
  }),
  admin.post('/discovery/results.php?action=split&id={id}', {
    title: 'Split a device from its matched asset',
    addition: true,
    access: WriteAssets,
    returns: item(ResultItem),
    load: (ctx, { id }) => lock(ctx, resultNoun, id),
    handle: async (ctx, { item: result }) => showOne(ctx, ResultItem, await splitResult(ctx, result)),
  }),
];
