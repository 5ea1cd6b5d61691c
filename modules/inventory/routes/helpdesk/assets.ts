// Customer routes for an asset's licenses and contracts, under the path, rules and feature switch of assets.
import {
  created,
  helpdesk,
  input,
  invalid,
  list,
  lockAll,
  notFound,
  nothing,
  pageOf,
  showOne,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { editsAssets, findPortalAsset, lockPortalAsset, readsAssets } from '@keelson/modules/assets';
import { PortalContract } from '../../contracts/contracts.ts';
import type { License } from '../../licenses/entities.ts';
import { installLicense, Licenses, PortalLicense, uninstallLicense } from '../../licenses/licenses.ts';
import { contractsOn, licensesOn } from '../../links.ts';

const licensesPath = '/assets/{id}/licenses';

export default [
  helpdesk.get(licensesPath, {
    title: 'List the licenses of an asset',
    module: 'assets',
    access: readsAssets,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalLicense, 'licenses'),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    handle: (ctx, { item: { asset_id }, query }) => pageOf(ctx, PortalLicense, query, { where: licensesOn(asset_id) }),
  }),
  helpdesk.post(licensesPath, {
    title: 'Link a license to an asset',
    module: 'assets',
    access: editsAssets,
    body: z.object({ license_id: input.id() }),
    returns: created(PortalLicense),
    load: (ctx, { id }) => lockPortalAsset(ctx, id),
    async handle(ctx, { item: { asset_id }, body }) {
      const license = await lockOwn(ctx, body.license_id);
      if (!license) throw invalid('license_id must be a license of the company');
      return showOne(ctx, PortalLicense, installLicense(ctx, license, asset_id));
    },
  }),
  helpdesk.delete('/assets/{id}/licenses/{license_id}', {
    title: 'Unlink a license from an asset',
    module: 'assets',
    access: editsAssets,
    returns: nothing(),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    async handle(ctx, { item: { asset_id }, params }) {
      const license = await lockOwn(ctx, params.license_id);
      if (!license || !(await uninstallLicense(ctx, license, asset_id))) throw notFound('License');
    },
  }),
  helpdesk.get('/assets/{id}/contracts', {
    title: 'List the contracts that cover an asset',
    module: 'assets',
    access: readsAssets,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalContract, 'contracts'),
    load: (ctx, { id }) => findPortalAsset(ctx, id),
    handle: (ctx, { item: { asset_id }, query }) =>
      pageOf(ctx, PortalContract, query, { where: contractsOn(asset_id) }),
  }),
];

async function lockOwn(ctx: Context<EmployeeActor>, license_id: number): Promise<License | undefined> {
  const [license] = await lockAll(ctx, Licenses, [license_id]);
  return license?.company_number === ctx.actor.company_number ? license : undefined;
}
