import { liveRecord } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { ReadReports } from '@keelson/modules/reports';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';

// What the administrative surface shows of the CRM: its leads, and its opportunities as figures (N-13).
export default [liveRecord(Lead, { admin: ReadContacts }), liveRecord(Opportunity, { admin: ReadReports })];
