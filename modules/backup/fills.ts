import { fill } from '@keelson/core/plugin';
import { CollectorBackups } from '@keelson/modules/discovery';
import { collectBackups } from './records/report-backups.ts';

export default [fill(CollectorBackups, async () => ({ get: () => collectBackups }))];
