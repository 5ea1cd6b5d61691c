import { liveRecord } from '@keelson/core';
import { people } from './access.ts';
import { Notification, Preference, ReplyTemplate, SavedView, Timer } from './entities.ts';

// Technicians receive changes of their own rows, on every device.
const own = { admin: people, personal: true } as const;

export default [SavedView, Preference, Timer, ReplyTemplate, Notification].map((each) => liveRecord(each, own));
