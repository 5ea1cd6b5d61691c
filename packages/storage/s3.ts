// Stores files in an S3-compatible store. Large files are uploaded in parts, read from disk while sending.
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3mini } from 's3mini';
import { spaceOf } from './reserve.ts';
import { s3Client, type S3Place } from './s3-client.ts';
import { FileMissing, isKey, newKey, type Arrived, type KeptFile, type Storage } from './storage.ts';

export interface S3Options extends S3Place {
  /** The prefix of this tenant's keys. */
  readonly prefix: string;
}

const PAGE = 1000;

/** Creates a storage in the endpoint's bucket. */
export function s3Storage(arrivals: string, { prefix, ...place }: S3Options): Storage {
  const client = s3Client(place);
  const at = (name: string) => `${prefix}/${name}`;
  const objectOf = (key: string): string => {
    if (!isKey(key)) throw new Error('Invalid storage key');
    return at(key);
  };
  const keepAs = async (key: string, { path, size }: Arrived): Promise<void> => {
    const s3 = await client();
    // The store responds once the object is durable.
    await s3.putAnyObject(objectOf(key), await openAsBlob(path), undefined, undefined, undefined, size);
  };
  return {
    arrivals,
    space: () => spaceOf(arrivals),
    async keep(file) {
      const key = newKey();
      await keepAs(key, file);
      return key;
    },
    keepAs,
    async open(key, range) {
      const s3 = await client();
      const answer = await s3
        .getObjectRaw(objectOf(key), range === undefined, range?.from, range && range.to + 1)
        .catch((error: unknown) => {
          throw isAbsent(error) ? new FileMissing(key) : error;
        });
      return answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([]);
    },
    exists: async (key) => (await (await client()).objectExists(objectOf(key))) === true,
    async remove(key) {
      await (await client()).deleteObject(objectOf(key));
    },
    list: (shard) => listShard(client, prefix, shard),
    readNote: async (name) => (await (await client()).getObject(at(name))) ?? undefined,
    async writeNote(name, text) {
      await (await client()).putObject(at(name), text, 'text/plain');
    },
  };
}

async function* listShard(client: () => Promise<S3mini>, prefix: string, shard: string): AsyncIterable<KeptFile> {
  const s3 = await client();
  let token: string | undefined;
  do {
    const page = await s3.listObjectsPaged('/', `${prefix}/${shard}/`, PAGE, token);
    for (const { Key, LastModified } of page?.objects ?? []) {
      const key = Key.slice(prefix.length + 1);
      if (isKey(key)) yield { key, storedAt: new Date(LastModified).getTime() };
    }
    token = page?.nextContinuationToken;
  } while (token !== undefined);
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}
