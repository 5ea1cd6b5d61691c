// Settings of the installation's own backup.
import { cronLine, matching, text } from './kinds.ts';
import { optional, setting } from './setting.ts';
import { bucketUrl, prefix, region, word } from './storage.ts';

export const backupSettings = {
  backupKey: optional(
    'BACKUP_KEY',
    null,
    matching(/^[\w+/-]{43}=?$/, 'must be 32 random bytes in base64, as from: openssl rand -base64 32'),
    'The key that encrypts backups. Keep a copy elsewhere: backups cannot be restored without it.',
  ),
  backupDir: optional('BACKUP_DIR', 'DATA_DIR/backups', text(1000), 'The folder that backups are written to.'),
  backupS3Url: optional(
    'BACKUP_S3_URL',
    null,
    bucketUrl(),
    'The S3-compatible store and bucket that each backup is copied to from BACKUP_DIR and verified in; requires BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY. BACKUP_KEEP applies there too.',
  ),
  backupS3Region: setting('BACKUP_S3_REGION', 'us-east-1', region(), 'The region of that store.'),
  backupS3Prefix: optional(
    'BACKUP_S3_PREFIX',
    'TENANT_SLUG',
    prefix(),
    'Key prefix of the copies, so that several installations can share a bucket.',
  ),
  backupS3AccessKeyId: optional('BACKUP_S3_ACCESS_KEY_ID', null, word(), 'The access key of that store.'),
  backupS3SecretAccessKey: optional('BACKUP_S3_SECRET_ACCESS_KEY', null, word(), 'The matching secret key.'),
  backupCron: optional(
    'BACKUP_CRON',
    null,
    cronLine(),
    'When backups run, in the time zone of the installation: 30 1 * * * is every night at 01:30. Requires BACKUP_KEY. If unset, the schedule set in the console is used. Each backup is verified by restoring it into a scratch database.',
  ),
  backupKeep: optional(
    'BACKUP_KEEP',
    '7,4,12',
    matching(/^\d{1,4},\d{1,4},\d{1,4}$/, 'must be three numbers: days, weeks and months'),
    'How many daily, weekly and monthly backups are kept. If unset, the numbers set in the console are used.',
  ),
};
