import { job } from '@keelson/core';
import { announceDue } from './clocks/announce.ts';

export default [job('levels.announce', '*/5 * * * * *', announceDue, { title: 'Announce due and missed targets' })];
