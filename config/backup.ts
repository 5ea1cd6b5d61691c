// Settings of the installation's own backup.
import { matching, text } from './kinds.ts';
import { optional, setting } from './setting.ts';

export const backupSettings = {
  backupKey: optional(
    'BACKUP_KEY',
    null,
    matching(/^[\w+/-]{43}=?$/, 'must be 32 random bytes in base64, as from: openssl rand -base64 32'),
    'The key that encrypts backups; keep a copy elsewhere, without it they are worthless.',
  ),
  backupDir: optional('BACKUP_DIR', 'DATA_DIR/backups', text(1000), 'The folder that backups are written to.'),
  backupCron: optional(
    'BACKUP_CRON',
    null,
    matching(/^\S+(?: \S+){4}$/, 'must be a cron line of five fields: minute hour day month weekday'),
    'When backups are made, in TIME_ZONE: 30 1 * * * is every night at half past one. Needs BACKUP_KEY. Each is checked by restoring it into a scratch database.',
  ),
  backupKeep: setting(
    'BACKUP_KEEP',
    '7,4,12',
    matching(/^\d{1,4},\d{1,4},\d{1,4}$/, 'must be three numbers: of days, weeks and months'),
    'Of how many days, weeks and months the newest backup is kept.',
  ),
};
