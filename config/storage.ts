// Settings of the storage for uploaded files.
import { matching, text, url } from './kinds.ts';
import { optional, setting } from './setting.ts';

export const word = () => matching(/^[\x21-\x7e]{1,400}$/, 'must be 1 to 400 printable characters without spaces');
export const region = () => matching(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-central-1');
export const prefix = () => matching(/^[\w-]{1,60}$/, 'must be 1 to 60 of a-z, A-Z, 0-9, - and _');
export const bucketUrl = () =>
  url(
    ['http:', 'https:'],
    'must be a URL with a bucket as its path, such as https://s3.eu-central-1.amazonaws.com/keelson',
    (at) =>
      /^\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/?$/.test(at.pathname) &&
      !at.username &&
      !at.password &&
      !at.search &&
      !at.hash,
  );

export const storageSettings = {
  filesDir: optional(
    'FILES_DIR',
    'DATA_DIR/files',
    text(1000),
    'The folder for uploaded files. With S3_URL, it only holds uploads in progress.',
  ),
  s3Url: optional(
    'S3_URL',
    null,
    bucketUrl(),
    'The S3-compatible store and bucket for uploaded files, instead of FILES_DIR; requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. A store on an internal network must be in EGRESS_ALLOW_CIDRS.',
  ),
  s3Region: setting('S3_REGION', 'us-east-1', region(), 'The region of that store.'),
  s3Prefix: optional(
    'S3_PREFIX',
    'TENANT_SLUG',
    prefix(),
    'Key prefix of this installation, so that several can share a bucket.',
  ),
  s3AccessKeyId: optional('S3_ACCESS_KEY_ID', null, word(), 'The access key of that store.'),
  s3SecretAccessKey: optional('S3_SECRET_ACCESS_KEY', null, word(), 'The matching secret key.'),
};
