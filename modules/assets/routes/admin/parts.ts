import { admin, all, created, findOr404, input, item, list, nothing, pageOf, show, showOne, z } from '@keelson/core';
import { HistoryLine } from '@keelson/core/record';
import { needsProof, revealers } from '@keelson/core/surfaces';
import { Assets, lockAsset } from '../../assets/assets.ts';
import { findCredential, ListedCredential } from '../../credentials/credentials.ts';
import { revealCredential, RevealedCredential } from '../../credentials/reveal.ts';
import { AssetCredential } from '../../entities/parts.ts';
import { portFields } from '../../inputs.ts';
import { readSoftware, SoftwareItem } from '../../parts/software.ts';
import { ReadAssets, WriteAssets } from '../../permissions.ts';
import { addPort, changePort, findPort, PortItem, readPorts, removePort } from '../../ports/ports.ts';

const ports = '/assets.php?action=ports&id={id}';
const port = '/assets.php?action=ports&id={id}&port_id={port_id}';

export default [
  admin.get(ports, {
    title: 'List an asset’s ports',
    access: ReadAssets,
    returns: all(PortItem),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: async (ctx, { item: { asset_id } }) => show(ctx, PortItem, await readPorts(ctx, asset_id)),
  }),
  admin.post(ports, {
    title: 'Add a port to any asset',
    access: WriteAssets,
    body: z.object(portFields),
    returns: created(PortItem),
    load: (ctx, { id }) => lockAsset(ctx, id),
    handle: (ctx, { item: asset, body }) => showOne(ctx, PortItem, addPort(ctx, asset, body)),
  }),
  admin.put(port, {
    title: 'Update a port of any asset',
    access: WriteAssets,
    body: input.changes(portFields),
    returns: item(PortItem),
    load: async (ctx, { id, port_id }) => {
      const asset = await lockAsset(ctx, id);
      return { asset, port: await findPort(ctx, asset, port_id) };
    },
    handle: (ctx, { item: { asset, port: before }, body }) =>
      showOne(ctx, PortItem, changePort(ctx, asset, before, body)),
  }),
  admin.delete(port, {
    title: 'Remove a port of any asset',
    access: WriteAssets,
    returns: nothing(),
    load: async (ctx, { id, port_id }) => findPort(ctx, await lockAsset(ctx, id), port_id),
    handle: (ctx, { item: removed }) => removePort(ctx, removed),
  }),
  admin.get('/assets.php?action=software&id={id}', {
    title: 'List the software on an asset',
    access: ReadAssets,
    returns: all(SoftwareItem),
    load: (ctx, { id }) => findOr404(ctx, Assets, id),
    handle: async (ctx, { item: { asset_id } }) => show(ctx, SoftwareItem, await readSoftware(ctx, asset_id)),
  }),
  admin.get('/assets/credentials.php', {
    title: 'List the logins of all assets',
    addition: true,
    access: ReadAssets,
    query: admin.paging(ListedCredential.query),
    returns: list(ListedCredential),
    handle: (ctx, { query }) => pageOf(ctx, ListedCredential, query),
  }),
  admin.post('/assets.php?action=credential-reveal&id={id}&login_id={login_id}', {
    title: 'Reveal a password of any asset',
    operationId: 'revealAssetCredential',
    access: revealers(WriteAssets),
    addition: true,
    forbiddenExtra: needsProof,
    slow: true,
    returns: item(RevealedCredential),
    load: async (ctx, { id, login_id }) => {
      const asset = await findOr404(ctx, Assets, id);
      return { asset, credential: await findCredential(ctx, asset, login_id) };
    },
    handle: (ctx, { item: { asset, credential } }) => revealCredential(ctx, asset, credential),
  }),
  admin.get('/assets.php?action=credential-history&id={id}&login_id={login_id}', {
    title: 'Read the access log of an asset password',
    access: WriteAssets,
    addition: true,
    query: admin.paging({}),
    returns: list(HistoryLine),
    load: async (ctx, { id, login_id }) => findCredential(ctx, await findOr404(ctx, Assets, id), login_id),
    handle: (ctx, { item: { login_id }, query }) =>
      pageOf(ctx, HistoryLine, { ...query, entity_type: AssetCredential.name, entity_id: String(login_id) }),
  }),
];
