// The container of a backup: bytes in sealed pieces (AES-256-GCM). Each piece authenticates its position and whether it
// is the last, so that none can be changed, omitted, swapped or truncated (the STREAM construction).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// The first format has no key check, so a wrong key looks like damage.
const FIRST = Buffer.from('KEELSON-BACKUP-1');
const MAGIC = Buffer.from('KEELSON-BACKUP-2');
const SALT_BYTES = 32;
const CHECK_BYTES = 16;
const HEADER_BYTES = MAGIC.length + SALT_BYTES;
const PIECE_BYTES = 1024 * 1024;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/** Thrown for an invalid backup, with the reason in one sentence. */
export class BadBackup extends Error {}

/** Decodes BACKUP_KEY: 32 bytes in base64. */
export const backupKey = (text: string): Buffer => Buffer.from(text, 'base64');

/** Encrypts the bytes in sealed pieces. */
export async function* seal(key: Buffer, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salted = Buffer.concat([MAGIC, randomBytes(SALT_BYTES)]);
  const header = Buffer.concat([salted, checkOf(key, salted)]);
  const own = keyOf(key, header);
  yield header;
  let held: Buffer[] = [];
  let size = 0;
  let place = 0;
  for await (const part of bytes) {
    held.push(part);
    size += part.length;
    while (size > PIECE_BYTES) {
      const all = Buffer.concat(held);
      yield sealed(own, header, { place: place++, last: false }, all.subarray(0, PIECE_BYTES));
      held = [all.subarray(PIECE_BYTES)];
      size -= PIECE_BYTES;
    }
  }
  yield sealed(own, header, { place, last: true }, Buffer.concat(held));
}

/** Decrypts sealed pieces. @throws BadBackup at the first piece that was changed, or when the last one is missing */
export async function* unseal(key: Buffer, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const take = taker(bytes);
  const header = await readHeader(key, take);
  const own = keyOf(key, header);
  for (let place = 0; ; place++) {
    const length = (await take(LENGTH_BYTES))?.readUInt32BE();
    if (length === undefined) throw new BadBackup('The backup is truncated');
    if ((length & 0x7fffffff) > PIECE_BYTES + TAG_BYTES) throw new BadBackup('The backup is damaged');
    const last = length >= 0x80000000;
    const piece = await take(length & 0x7fffffff);
    if (!piece) throw new BadBackup('The backup is truncated');
    yield opened(own, header, { place, last }, piece);
    if (!last) continue;
    if (await take(1)) throw new BadBackup('Unexpected data after the end of the backup');
    return;
  }
}

/** Reads the header. @throws BadBackup for a file that is not a backup, or that was made with another key */
async function readHeader(key: Buffer, take: ReturnType<typeof taker>): Promise<Buffer> {
  const salted = await take(HEADER_BYTES);
  const magic = salted?.subarray(0, MAGIC.length);
  if (!salted || !magic || !(magic.equals(MAGIC) || magic.equals(FIRST)))
    throw new BadBackup('The file is not a Keelson backup');
  if (magic.equals(FIRST)) return salted;
  const check = await take(CHECK_BYTES);
  if (!check) throw new BadBackup('The backup is truncated');
  // The check is made of the key and the salt, so damage to either part of the header looks like another key.
  if (!check.equals(checkOf(key, salted)))
    throw new BadBackup('BACKUP_KEY does not match the key of the backup, or the start of the backup is damaged');
  return Buffer.concat([salted, check]);
}

/** Returns a value that distinguishes a wrong key from damage without revealing the key. */
function checkOf(key: Buffer, salted: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salted.subarray(MAGIC.length), 'keelson backup key check', CHECK_BYTES));
}

interface Place {
  readonly place: number;
  readonly last: boolean;
}

function sealed(key: Buffer, header: Buffer, at: Place, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(at), { authTagLength: TAG_BYTES });
  cipher.setAAD(header);
  const secret = cipher.update(plain);
  cipher.final();
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(secret.length + TAG_BYTES + (at.last ? 0x80000000 : 0));
  return Buffer.concat([length, secret, cipher.getAuthTag()]);
}

function opened(key: Buffer, header: Buffer, at: Place, piece: Buffer): Buffer {
  if (piece.length < TAG_BYTES) throw new BadBackup('The backup is damaged');
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(at), { authTagLength: TAG_BYTES });
  decipher.setAAD(header);
  decipher.setAuthTag(piece.subarray(-TAG_BYTES));
  const plain = decipher.update(piece.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    throw new BadBackup(
      at.place === 0 && header.length === HEADER_BYTES
        ? 'BACKUP_KEY is wrong, or the backup is damaged'
        : 'The backup is damaged',
    );
  }
  return plain;
}

/** Derives a key per backup, so that nonces may start over. */
function keyOf(key: Buffer, header: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, header.subarray(MAGIC.length), 'keelson backup', 32));
}

function nonceOf({ place, last }: Place): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(place, 7);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** Reads the given number of bytes from a stream; undefined when it ends earlier. */
export function taker(bytes: AsyncIterable<Buffer>): (count: number) => Promise<Buffer | undefined> {
  const source = bytes[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let size = 0;
  return async (count) => {
    while (size < count) {
      const { done, value } = await source.next();
      if (done) return undefined;
      held.push(value);
      size += value.length;
    }
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    held = [all.subarray(count)];
    size = all.length - count;
    return all.subarray(0, count);
  };
}
