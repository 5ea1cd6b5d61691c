import { event } from '@keelson/core';
import { StateItem } from './states/state-list.ts';

/** The backup status of a company has changed. */
export const BackupStatusChanged = event('backup.status_changed', StateItem.shape, { webhook: 'admin' });
