// Stores copies of backups in an S3-compatible store, off the machine.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { s3Client, type S3Options } from '@keelson/storage';

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

export interface BackupStore {
  /** Uploads a file, and reads it back. @throws Error when the content differs from what was sent */
  put(name: string, path: string): Promise<void>;
  /** Downloads a copy into a file. */
  get(name: string, path: string): Promise<void>;
  list(): Promise<StoredBackup[]>;
  /** Deletes a copy, if it exists. */
  remove(name: string): Promise<void>;
}

const PAGE = 1000;

/** Creates the store for copies in the endpoint's bucket. */
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
      if (sent !== kept) throw new Error(`The store returned a different file than was uploaded: ${name}`);
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
