import { event, eventData, findOr404, z, type EventRecord, type OutOf } from '@keelson/core';
import { OutageItem, outageNoun } from './outages/outage-list.ts';

const record: EventRecord<OutOf<typeof OutageItem>> = {
  type: 'outage',
  read: async (ctx, id) => eventData(ctx, OutageItem, await findOr404(ctx, outageNoun, id)),
};

export const OutageStarted = event('outage.started', OutageItem.shape, { webhook: 'admin', record });
export const OutageResolved = event('outage.resolved', OutageItem.shape, { webhook: 'admin', record });

/** Emitted per batch of a notice; `after` is the last contact mailed. */
export const OutageNotice = event('outages.notice', z.object({ history_id: z.int(), after: z.int() }));
