// Creates the client of an S3-compatible store.
import type { S3mini } from 's3mini';

export interface S3Place {
  /** Includes the bucket as its path: `https://s3.eu-central-1.amazonaws.com/keelson`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly fetch: typeof fetch;
}

/** Creates the client of a store. It is loaded on first use, because most processes never use one. */
export function s3Client(place: S3Place): () => Promise<S3mini> {
  let opened: Promise<S3mini> | undefined;
  return () => (opened ??= import('s3mini').then(({ S3mini: Client }) => new Client(place)));
}
