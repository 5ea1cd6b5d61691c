import { liveRecord, signedIn } from '@keelson/core';
import { ReadCompanies } from '@keelson/modules/directory';
import { ReadTickets } from '@keelson/modules/tickets';
import { Outage, OutageService, OutageSubscriber } from './entities.ts';

export default [
  // Rows without a company are visible to all companies.
  liveRecord(Outage, { admin: ReadTickets, helpdesk: { access: signedIn, common: true } }),
  liveRecord(OutageService, { admin: ReadTickets, helpdesk: { access: signedIn, common: true }, paths: ['/status'] }),
  liveRecord(OutageSubscriber, { admin: ReadCompanies }),
];
