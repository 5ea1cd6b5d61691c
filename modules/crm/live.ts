import { liveRecord } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { Lead } from './leads/entities.ts';

export default [liveRecord(Lead, { admin: ReadContacts })];
