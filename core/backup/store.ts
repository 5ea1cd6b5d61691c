// Copies of backups in a store that speaks S3: another place than the machine that they are of.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { s3Client } from '../storage/s3-client.ts';
import type { S3Options } from '../storage/s3.ts';

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

export interface BackupStore {
  /** Copies a file there, and reads it back. @throws Error when what comes back is not what was sent */
  put(name: string, path: string): Promise<void>;
  /** Copies it back into a file. */
  get(name: string, path: string): Promise<void>;
  list(): Promise<StoredBackup[]>;
  /** Deletes one; one that is not there is fine. */
  remove(name: string): Promise<void>;
}

const PAGE = 1000;

/** The copies in the bucket that the endpoint names. */
export function backupStore({ prefix, ...place }: S3Options): BackupStore {
  const client = s3Client(place);
  const at = (name: string) => `${prefix}/${name}`;
  const read = async (name: string): Promise<Readable> => {
    const { body } = await (await client()).getObjectRaw(at(name));
    return body ? Readable.fromWeb(body as never) : Readable.from([]);
  };
  return {
    async put(name, path) {
      const { size } = await stat(path);
      const s3 = await client();
      await s3.putAnyObject(at(name), await openAsBlob(path), undefined, undefined, undefined, size);
      const [sent, kept] = [await sumOf(createReadStream(path)), await sumOf(await read(name))];
      if (sent !== kept) throw new Error(`The store gives back another file than it was given: ${name}`);
    },
    get: async (name, path) => pipeline(await read(name), createWriteStream(path, { mode: 0o600, flush: true })),
    async list() {
      const s3 = await client();
      const found: StoredBackup[] = [];
      let token: string | undefined;
      do {
        const page = await s3.listObjectsPaged('/', `${prefix}/`, PAGE, token);
        for (const { Key, Size } of page?.objects ?? [])
          found.push({ name: Key.slice(prefix.length + 1), bytes: Number(Size) });
        token = page?.nextContinuationToken;
      } while (token !== undefined);
      return found;
    },
    async remove(name) {
      await (await client()).deleteObject(at(name));
    },
  };
}

async function sumOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex');
}
