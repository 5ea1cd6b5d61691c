import { created, helpdesk, input, invalid, item, nothing, param, showOne, z } from '@keelson/core';
import { editsAssets, findPortalAsset, lockPortalAsset } from '../../access.ts';
import {
  addCredential,
  changeCredential,
  findPortalCredential,
  PortalCredential,
  removeCredential,
} from '../../credentials/credentials.ts';
import { revealCredential, RevealedCredential } from '../../credentials/reveal.ts';
import { credentialFields, portFields } from '../../inputs.ts';
import { addPort, changePort, findPort, PortItem, removePort } from '../../ports/ports.ts';

const ports = '/assets/{id}/ports';
const credential = '/assets/{id}/credentials/{login_id}';

/** Returns the port id from the query, or else from the body (N-18). @throws invalid() without either */
function portIdOf(query: { port_id?: number | undefined }, body: { port_id?: number | undefined }): number {
  const port_id = query.port_id ?? body.port_id;
  if (port_id === undefined) throw invalid('port_id is required');
  return port_id;
}

export default [
  helpdesk.post(ports, {
    title: 'Add a port to an asset',
    access: editsAssets,
    body: z.object(portFields),
    returns: created(PortItem),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: (ctx, { item: asset, body }) => showOne(ctx, PortItem, addPort(ctx, asset, body)),
  }),
  helpdesk.put(ports, {
    title: 'Update a port of an asset',
    access: editsAssets,
    query: z.object({ port_id: param.id() }),
    body: z.object({ ...portFields, port_id: input.optional(input.id()) }),
    returns: item(PortItem),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: async (ctx, { item: asset, query, body: { port_id, ...wanted } }) => {
      const port = await findPort(ctx, asset, portIdOf(query, { port_id }));
      if (Object.values(wanted).every((each) => each === undefined)) throw invalid('No fields to update');
      return showOne(ctx, PortItem, changePort(ctx, asset, port, wanted));
    },
  }),
  helpdesk.delete(ports, {
    title: 'Remove a port of an asset',
    access: editsAssets,
    query: z.object({ port_id: param.id() }),
    body: z.object({ port_id: input.optional(input.id()) }).optional(),
    returns: nothing(),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: async (ctx, { item: asset, query, body }) =>
      removePort(ctx, await findPort(ctx, asset, portIdOf(query, body ?? {}))),
  }),
  helpdesk.post('/assets/{id}/credentials', {
    title: 'Add a login to an asset',
    access: editsAssets,
    body: z.object(credentialFields),
    returns: created(PortalCredential),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    handle: (ctx, { item: asset, body }) => showOne(ctx, PortalCredential, addCredential(ctx, asset, body)),
  }),
  helpdesk.put(credential, {
    title: 'Update a login of an asset',
    access: editsAssets,
    body: input.changes(credentialFields),
    returns: item(PortalCredential),
    load: async (ctx, { id, login_id }) => {
      const asset = await lockPortalAsset(ctx, id);
      return { asset, login: await findPortalCredential(ctx, asset, login_id) };
    },
    handle: (ctx, { item: { asset, login }, body }) =>
      showOne(ctx, PortalCredential, changeCredential(ctx, asset, login, body)),
  }),
  helpdesk.delete(credential, {
    title: 'Delete a login of an asset',
    access: editsAssets,
    returns: nothing(),
    load: async (ctx, { id, login_id }) => findPortalCredential(ctx, await lockPortalAsset(ctx, id), login_id),
    handle: (ctx, { item: login }) => removeCredential(ctx, login),
  }),
  helpdesk.post('/assets/{id}/credentials/{login_id}/reveal', {
    title: 'Reveal a password of an asset',
    access: editsAssets,
    addition: true,
    slow: true,
    returns: item(RevealedCredential),
    load: async (ctx, { id, login_id }) => {
      const asset = await findPortalAsset(ctx, id);
      return { asset, login: await findPortalCredential(ctx, asset, login_id) };
    },
    handle: (ctx, { item: { asset, login } }) => revealCredential(ctx, asset, login),
  }),
];
