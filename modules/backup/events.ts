import { event } from '@keelson/core';
import { StateItem } from './state-list.ts';

/** The backups of a company have become better or worse. */
export const BackupStatusChanged = event('backup.status_changed', StateItem.shape, { webhook: 'admin' });
