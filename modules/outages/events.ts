import { event, z, type EventRecord } from '@keelson/core';
import { toItem } from './outage-list.ts';
import { findOutage } from './outages.ts';
import { OutageItem } from './shapes.ts';

const record: EventRecord<OutageItem> = {
  type: 'outage',
  read: async (ctx, id) => toItem(ctx, await findOutage(ctx, id)),
};

export const OutageStarted = event('outage.started', OutageItem, { webhook: 'admin', record });
export const OutageResolved = event('outage.resolved', OutageItem, { webhook: 'admin', record });

/** Those affected are to be told; `after` is the last contact who was. */
export const OutageNotice = event('outages.notice', z.object({ history_id: z.int(), after: z.int() }));
