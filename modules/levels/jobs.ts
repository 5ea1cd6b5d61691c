import { job } from '@keelson/core';
import { readHolidayFeeds } from './calendars/holiday-feed.ts';
import { announceDue } from './clocks/announce.ts';

export default [
  job('levels.announce', '*/5 * * * * *', announceDue, { title: 'Announce due and missed targets' }),
  job('levels.holidays', '*/5 * * * *', readHolidayFeeds, { title: 'Read holidays from the addresses of calendars' }),
];
