// Encrypts stored secrets, so that a copy of the database does not reveal them. An envelope is `v1.<key id>.<nonce,
// ciphertext and tag>`. All keys derive from one master key outside the database.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { conflict } from '@keelson/kit/problem.ts';
import { secret } from '@keelson/kit/random.ts';

export interface Vault {
  /**
   * Encrypts `plain`. `context` names its owner (tenant, company, asset, field), and only the same context opens the
   * envelope, so that envelopes cannot be swapped.
   */
  seal(plain: string, context: string): string;
  /**
   * Decrypts an envelope.
   * @throws Error when the context differs or a byte was changed; conflict() when its key was given up
   */
  open(envelope: string, context: string): string;
  /** Returns true if an envelope was sealed with a key of this vault, false if that key was given up. */
  knows(envelope: string): boolean;
  /** Derives key bytes for a purpose. They reveal neither the master key nor keys for other purposes. */
  derive(purpose: string, length?: number): Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENVELOPE = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/** Reads the master key (a file with 32 bytes in base64). `create` makes a missing file. @throws Error, one sentence */
export function loadMasterKey(file: string, { create }: { create: boolean }): Buffer {
  const found = readKeyFile(file);
  if (found) return found;
  if (!create) throw new Error(`Master key file ${file} does not exist`);
  createKeyFile(file);
  const created = readKeyFile(file);
  if (!created) throw new Error(`Master key file ${file} disappeared after it was created`);
  return created;
}

/** Creates a vault that seals with `masterKey` and also opens what `previousKeys` sealed. */
export function openVault(masterKey: Buffer, previousKeys: readonly Buffer[] = []): Vault {
  const current = sealKeyOf(masterKey);
  const keys = new Map([...previousKeys.map(sealKeyOf), current].map((key) => [key.id, key]));

  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(current.id, context));
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${current.id}.${sealed.toString('base64url')}`;
    },
    open(envelope, context) {
      const [, id = '', text = ''] = ENVELOPE.exec(envelope) ?? [];
      const found = keys.get(id);
      const sealed = Buffer.from(text, 'base64url');
      // Base64 can spell the same bytes in several ways. Only the canonical one is accepted.
      if (sealed.length < NONCE_BYTES + TAG_BYTES || sealed.toString('base64url') !== text)
        throw new Error('Not an envelope');
      if (!found) throw conflict('This secret was stored with a master key that was given up: enter it again');
      const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(id, context));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    },
    knows: (envelope) => keys.has(ENVELOPE.exec(envelope)?.[1] ?? ''),
    derive: (purpose, length = KEY_BYTES) => derive(masterKey, `derive ${purpose}`, length),
  };
}

function sealKeyOf(masterKey: Buffer): { id: string; key: Buffer } {
  if (masterKey.length !== KEY_BYTES) throw new Error(`A master key must have ${KEY_BYTES} bytes`);
  return { id: derive(masterKey, 'key id', 4).toString('hex'), key: derive(masterKey, 'seal', KEY_BYTES) };
}

function derive(masterKey: Buffer, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'keelson', info, length));
}

function randomBytes(count: number): Buffer {
  return Buffer.from(secret(count), 'base64url');
}

function boundTo(keyId: string, context: string): Buffer {
  return Buffer.from(`v1.${keyId}.${context}`, 'utf8');
}

function readKeyFile(file: string): Buffer | undefined {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // Checked on the open file, so that it cannot be swapped in between.
    const { mode, uid } = fstatSync(opened);
    // Kubernetes mounts secrets as root's, readable by a group of the process: it could not read them otherwise.
    if (mode & (uid === process.getuid?.() ? 0o077 : 0o037)) {
      throw new Error(`Master key file ${file} is readable by other users of this machine: run chmod 600 ${file}`);
    }
    return keyFrom(readFileSync(opened, 'utf8').trim(), file);
  } finally {
    closeSync(opened);
  }
}

function keyFrom(text: string, file: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (!/^[\w+/-]{43}=?$/.test(text) || key.length !== KEY_BYTES) {
    throw new Error(
      `Master key file ${file} must contain 32 random bytes in base64, as generated by: openssl rand -base64 32`,
    );
  }
  // About 30 of 32 random bytes are distinct. Fewer than 16 occur by chance once in 10^14 keys.
  if (new Set(key).size < 16)
    throw new Error(`Master key file ${file} contains a guessable key: generate a random one`);
  return key;
}

// Written to a temporary file and linked, so that a process starting now never reads half a key, and the first one
// wins.
function createKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${secret(6)}`;
  const opened = openSync(aside, 'wx', 0o600);
  try {
    writeSync(opened, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    fsyncSync(opened);
    linkSync(aside, file);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
  } finally {
    closeSync(opened);
    rmSync(aside);
  }
}
