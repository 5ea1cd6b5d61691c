import { event, eventData, findOr404, type EventRecord, type OutOf } from '@keelson/core';
import { AlertItem, alertNoun } from './alert-list.ts';

const record: EventRecord<OutOf<typeof AlertItem>> = {
  type: 'alert',
  read: async (ctx, id) => eventData(ctx, AlertItem, await findOr404(ctx, alertNoun, id)),
};
const ofAlert = { webhook: 'admin', record } as const;

/** Emitted for a new problem, not for repeated reports of it. */
export const AlertCreated = event('alert.created', AlertItem.shape, ofAlert);
export const AlertAcknowledged = event('alert.acknowledged', AlertItem.shape, ofAlert);
export const AlertResolved = event('alert.resolved', AlertItem.shape, ofAlert);
