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

/** What a request says whose connection was closed before a response: by a store that ends idle ones, or a restart. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Sends a request once more if its connection was closed. Only POST, which begins or ends an upload, has another effect then. */
const overNewConnection =
  (send: typeof fetch): typeof fetch =>
  (url, request) =>
    send(url, request).catch((error: unknown) => {
      const { cause } = error as { cause?: { code?: unknown } };
      if (request?.method === 'POST' || !CLOSED.has(cause?.code)) throw error;
      return send(url, request);
    });

/** Creates the client of a store. It is loaded on first use, because most processes never use one. */
export function s3Client(place: S3Place): () => Promise<S3mini> {
  let opened: Promise<S3mini> | undefined;
  return () =>
    (opened ??= import('s3mini').then(
      ({ S3mini: Client }) => new Client({ ...place, fetch: overNewConnection(place.fetch) }),
    ));
}
