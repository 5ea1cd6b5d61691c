import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { Webhook } from './entities.ts';

// Covers both registries: administrators of CRM keys manage their webhooks too.
export default [liveRecord(Webhook, { admin: administrators(ReadSettings) })];
