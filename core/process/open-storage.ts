// Opens the configured storage.
import { join } from 'node:path';
import type { Egress } from '@keelson/security/egress.ts';
import { diskStorage, s3Storage, type Storage } from '@keelson/storage';
import type { Config } from '../../config/config.ts';

/** Opens the storage of a configuration: an S3 store if S3_URL is set, otherwise FILES_DIR. */
export function openStorage(config: Config, egress: Pick<Egress, 'fetch'>): Storage {
  const arrivals = join(config.filesDir, 'arrivals');
  if (config.s3Url === undefined) return diskStorage(config.filesDir, arrivals);
  return s3Storage(arrivals, {
    endpoint: config.s3Url,
    region: config.s3Region,
    prefix: config.s3Prefix ?? config.tenantSlug,
    accessKeyId: config.s3AccessKeyId ?? '',
    secretAccessKey: config.s3SecretAccessKey ?? '',
    fetch: egress.fetch,
  });
}
