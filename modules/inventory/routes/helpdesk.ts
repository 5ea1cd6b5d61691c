import { findVisible, helpdesk, item, list, pageOf, signedIn } from '@keelson/core';
import { PortalContract } from '../contracts/contracts.ts';
import { PortalDomain } from '../domains/domains.ts';
import { PortalLicense } from '../licenses/licenses.ts';
import { PortalNetworkDetail, readPortalNetwork } from '../networks/network-detail.ts';
import { PortalNetwork } from '../networks/networks.ts';

// Always limited to the signed-in person's company (I-05).
const { search: licenseSearch, status: licenseStatus } = PortalLicense.query;
const { search: contractSearch, status: contractStatus } = PortalContract.query;
const { search: domainSearch, status: domainStatus } = PortalDomain.query;

export default [
  helpdesk.get('/networks', {
    title: 'List your company’s networks',
    access: signedIn,
    query: helpdesk.paging({ search: PortalNetwork.query.search }, { whole: true }),
    returns: list(PortalNetwork, 'networks'),
    handle: (ctx, { query }) => pageOf(ctx, PortalNetwork, query),
  }),
  helpdesk.get('/networks/{id}', {
    title: 'Show a network with its VLANs',
    access: signedIn,
    returns: item(PortalNetworkDetail),
    load: (ctx, { id }) => findVisible(ctx, PortalNetwork, id),
    handle: (ctx, { item: network }) => readPortalNetwork(ctx, network),
  }),
  helpdesk.get('/licenses', {
    title: 'List your company’s licenses',
    access: signedIn,
    query: helpdesk.paging({ search: licenseSearch, status: licenseStatus }, { whole: true }),
    returns: list(PortalLicense, 'licenses'),
    handle: (ctx, { query }) => pageOf(ctx, PortalLicense, query),
  }),
  helpdesk.get('/contracts', {
    title: 'List your company’s contracts',
    access: signedIn,
    query: helpdesk.paging({ search: contractSearch, status: contractStatus }, { whole: true }),
    returns: list(PortalContract, 'contracts'),
    handle: (ctx, { query }) => pageOf(ctx, PortalContract, query),
  }),
  helpdesk.get('/domains', {
    title: 'List your company’s domains',
    access: signedIn,
    query: helpdesk.paging({ search: domainSearch, status: domainStatus }, { whole: true }),
    returns: list(PortalDomain, 'domains'),
    handle: (ctx, { query }) => pageOf(ctx, PortalDomain, query),
  }),
];
