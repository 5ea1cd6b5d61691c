// Settings of the installation's own backup.
import { matching, text } from './kinds.ts';
import { optional, setting } from './setting.ts';
import { bucketUrl, prefix, region, word } from './storage.ts';

export const backupSettings = {
  backupKey: optional(
    'BACKUP_KEY',
    null,
    matching(/^[\w+/-]{43}=?$/, 'must be 32 random bytes in base64, as from: openssl rand -base64 32'),
    'The key that encrypts backups; keep a copy elsewhere, without it they are worthless.',
  ),
  backupDir: optional('BACKUP_DIR', 'DATA_DIR/backups', text(1000), 'The folder that backups are written to.'),
  backupS3Url: optional(
    'BACKUP_S3_URL',
    null,
    bucketUrl(),
    'An S3-compatible store and its bucket, to which each backup is copied from BACKUP_DIR, and read back; needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY. BACKUP_KEEP holds there, too.',
  ),
  backupS3Region: setting('BACKUP_S3_REGION', 'us-east-1', region(), 'The region of that store.'),
  backupS3Prefix: optional(
    'BACKUP_S3_PREFIX',
    'TENANT_SLUG',
    prefix(),
    'What the names of the copies begin with, so that several installations can share a bucket.',
  ),
  backupS3AccessKeyId: optional('BACKUP_S3_ACCESS_KEY_ID', null, word(), 'The access key of that store.'),
  backupS3SecretAccessKey: optional('BACKUP_S3_SECRET_ACCESS_KEY', null, word(), 'The secret that belongs to it.'),
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
