import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { Mailbox } from './entities.ts';

export default [liveRecord(Mailbox, { admin: administrators(ReadSettings) })];
