import { liveRecord } from '@keelson/core';
import { seesBilling } from './access.ts';
import { ReadBilling } from './permissions.ts';
import { Proposal } from './proposals/entities.ts';
import { sentToOwnCompany } from './proposals/visible.ts';
import { Subscription } from './subscriptions/entities.ts';

export default [
  liveRecord(Proposal, { admin: ReadBilling, helpdesk: { access: seesBilling, visible: sentToOwnCompany } }),
  liveRecord(Subscription, { admin: ReadBilling, helpdesk: { access: seesBilling } }),
];
