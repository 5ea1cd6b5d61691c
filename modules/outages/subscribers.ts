import { subscriber } from '@keelson/core';
import { OutageNotice } from './events.ts';
import { mailNotice } from './outages/notices.ts';

export default [subscriber('outages.mail', OutageNotice, mailNotice)];
