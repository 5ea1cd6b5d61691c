import { liveRecord } from '@keelson/core';
import { people } from './access.ts';
import { Notification, Preference, ReplyTemplate, SavedView, Timer } from './entities.ts';

// Each technician hears of what is their own, on every device.
const own = { admin: people, personal: true } as const;

export default [SavedView, Preference, Timer, ReplyTemplate, Notification].map((each) => liveRecord(each, own));
