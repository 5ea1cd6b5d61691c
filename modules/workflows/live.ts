import { liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { Workflow } from './entities.ts';

export default [liveRecord(Workflow, { admin: ReadSettings })];
