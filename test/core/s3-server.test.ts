import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import S3rver from 's3rver';
import { s3Storage } from '../../packages/storage/s3.ts';
import { FileMissing, newKey } from '../../packages/storage/storage.ts';

// A real S3 server. It checks the access key but not the signature: `_s3-store.ts` does that.
async function openServer(t: { teardown(work: () => unknown): void }) {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-s3-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'kept') };
  const server = new S3rver({ ...options, configureBuckets: [{ name: 'bucket' }] });
  const { port } = await server.run();
  t.teardown(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const place = { endpoint: `http://127.0.0.1:${port}/bucket`, region: 'us-east-1', prefix: 'acme mgmt', fetch };
  const storage = (accessKeyId = 'S3RVER') => s3Storage(folder, { ...place, accessKeyId, secretAccessKey: 'S3RVER' });
  const arrived = async (bytes: Buffer) => {
    const path = join(folder, 'arrived');
    await writeFile(path, bytes);
    return { path, size: bytes.length };
  };
  return { storage, arrived };
}

test('a real S3 server stores files of any size, serves ranges and deletes them', async (t) => {
  const { storage, arrived } = await openServer(t);
  const files = storage();
  const large = Buffer.alloc(20 * 1024 * 1024, 'keelson');
  for (const bytes of [Buffer.from('hello'), large]) {
    const key = await files.keep(await arrived(bytes));
    t.true(await files.exists(key));
    t.true((await text(await files.open(key))) === bytes.toString());
    t.is(await text(await files.open(key, { from: 1, to: 3 })), bytes.subarray(1, 4).toString());
    t.is(
      await text(await files.open(key, { from: bytes.length - 2, to: bytes.length - 1 })),
      bytes.subarray(-2).toString(),
    );
    await files.remove(key);
    await files.remove(key);
    t.false(await files.exists(key));
    await t.throwsAsync(files.open(key), { instanceOf: FileMissing });
  }
  t.is(await files.readNote('note'), undefined);
  await files.writeNote('note', 'größer als „0“');
  t.is(await files.readNote('note'), 'größer als „0“');
  await t.throwsAsync(storage('nobody').keep(await arrived(large)), { message: /403/ });
});

test('a shard is listed without other shards and foreign objects', async (t) => {
  const { storage, arrived } = await openServer(t);
  const files = storage();
  const file = await arrived(Buffer.from('x'));
  const keys = Array.from({ length: 30 }, () => `a7/3f/a73f${newKey().slice(-28)}`);
  await files.writeNote('a7/note', 'no file');
  await files.keepAs(`a8/3f/a83f${newKey().slice(-28)}`, file);
  await Promise.all(keys.map((key) => files.keepAs(key, file)));
  const found: string[] = [];
  for await (const { key, storedAt } of files.list('a7')) {
    found.push(key);
    t.true(Math.abs(Date.now() - storedAt) < 60_000);
  }
  t.deepEqual(found.toSorted(), keys.toSorted());
});
