import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { Mailbox, MailboxRule } from './entities.ts';

const admin = administrators(ReadSettings);

export default [liveRecord(Mailbox, { admin }), liveRecord(MailboxRule, { admin })];
