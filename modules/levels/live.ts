import { liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { LevelCalendar, LevelHoliday } from './calendars/entities.ts';
import { LevelPolicy } from './policies/entities.ts';

export default [
  liveRecord(LevelCalendar, { admin: ReadSettings }),
  liveRecord(LevelHoliday, { admin: ReadSettings }),
  liveRecord(LevelPolicy, { admin: ReadSettings }),
];
