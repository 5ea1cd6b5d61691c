import { event, z } from '@keelson/core';
import { OutageItem } from './shapes.ts';

export const OutageStarted = event('outage.started', OutageItem, { webhook: 'admin' });
export const OutageResolved = event('outage.resolved', OutageItem, { webhook: 'admin' });

/** Those affected are to be told; `after` is the last contact who was. */
export const OutageNotice = event('outages.notice', z.object({ history_id: z.int(), after: z.int() }));
