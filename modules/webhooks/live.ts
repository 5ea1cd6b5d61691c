import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { Webhook } from './entities.ts';

// Of both registries: who administers keys of the CRM administers its webhooks, too.
export default [liveRecord(Webhook, { admin: administrators(ReadSettings) })];
