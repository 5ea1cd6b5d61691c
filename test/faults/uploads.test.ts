// Kills uploads at every point from the first byte to the response, and fills the disk: nothing is served incorrectly
// or stored in part.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createTicket } from '@keelson/modules/tickets';
import test from 'ava';
import { missingFiles, tidyAttachments } from '../../core/attachments/tidy.ts';
import { mountDisk } from './_disk.ts';
import { freePort, startNode, type Node } from './_node.ts';
import { engine, makePlace, type Place } from './_place.ts';
import { client } from './_send.ts';
import { bytesFor, points, type Point } from './_upload.ts';

const DISK = '6m';
const MIB = 1 << 20;

/** What a process killed at each point leaves in the folders and the database. */
const left: Readonly<Record<Point, readonly [arriving: number, stored: number, rows: number]>> = {
  arriving: [1, 0, 0],
  arrived: [1, 0, 0],
  stored: [0, 1, 0],
  written: [0, 1, 0],
  committed: [0, 1, 1],
};

test.serial(
  `a killed upload is stored completely or not at all, and leaves nothing for long (FT-19, ${engine})`,
  async (t) => {
    t.timeout(300_000);
    const place = await makePlace(t);
    const ticket = await addTicket(place);
    for (const point of points) {
      const before = await found(place);
      const node = startNode(t, place, 0, ['test/faults/_upload.ts', point, String(ticket)]);
      await new Promise((resolve) => node.child.once('exit', resolve));
      t.is(node.child.signalCode, 'SIGKILL', node.said());
      await place.alone();
      const after = await found(place);
      t.deepEqual(
        after.map((n, i) => n - (before[i] ?? 0)),
        [...left[point]],
        point,
      );
    }
    const node = startNode(t, place, await freePort());
    await node.ready();
    t.deepEqual(await served(node, place, ticket), [['committed.txt', bytesFor('committed').toString()]]);
    t.is(await node.end('SIGTERM'), 0, node.said());

    await tidy(place);
    t.deepEqual(await found(place), [2, 3, 1], 'what is young may belong to an upload that goes on');
    makeOld(filesOf(place));
    await tidy(place);
    t.deepEqual(await found(place), [0, 1, 1]);
  },
);

test.serial(
  `a full disk rejects uploads, keeps no parts, and accepts them again when space is available (FT-19, ${engine})`,
  async (t) => {
    t.timeout(300_000);
    const disk = mountDisk(t, DISK);
    if (!disk) return t.pass('This user may not mount a small disk');
    const made = await makePlace(t);
    const place = { ...made, env: { ...made.env, FILES_DIR: join(disk, 'data') } };
    const ticket = await addTicket(made);
    const node = startNode(t, place, await freePort());
    await node.ready();
    const http = client();
    const path = `/admin/api/v1/tickets.php?action=attachments&id=${ticket}`;
    const upload = (name: string) => {
      const content_base64 = Buffer.alloc(MIB / 2, name).toString('base64');
      return http.send(node.url, { method: 'POST', path, token: place.key, body: { filename: name, content_base64 } });
    };
    const statuses: number[] = [];
    for (let i = 0; i < 16; i++) statuses.push((await upload(`${i}.txt`)).status);
    const taken = statuses.filter((status) => status === 201).length;
    t.true(taken >= 5 && taken < 16, statuses.join(' '));
    t.deepEqual([...new Set(statuses)], [201, 503]);
    const [arriving, stored, rows] = await found(place);
    t.deepEqual([arriving, stored, rows], [0, taken, taken]);
    const there = await served(node, place, ticket);
    t.true(there.every(([name, text]) => text === Buffer.alloc(MIB / 2, name).toString()));
    t.is((await fetch(`${node.url}/health`)).status, 200);

    const { data } = JSON.parse((await http.send(node.url, { method: 'GET', path, token: place.key })).text);
    const one = `${path.replace('attachments', 'attachment')}&attachment_id=${data[0].attachment_id}`;
    const headers = { Authorization: `Bearer ${place.key}` };
    t.is((await fetch(node.url + one, { method: 'DELETE', headers })).status, 204);
    t.is((await upload('again.txt')).status, 201, node.said());
    http.close();
    t.is(await node.end('SIGTERM'), 0, node.said());
  },
);

async function addTicket(place: Place): Promise<number> {
  let id = 0;
  await place.open(async (app) => {
    const wanted = { subject: 'Screen', description: 'It stays dark', company_number: place.companies[0] ?? 0 };
    id = (await app.system().transaction((ctx) => createTicket(ctx, wanted as never))).ticket_id;
  });
  return id;
}

const filesOf = ({ env }: Place) => env['FILES_DIR'] ?? join(env['DATA_DIR'] ?? '', 'files');

/** Returns how many files are arriving, are stored, and have a row. */
async function found(place: Place): Promise<number[]> {
  const all = paths(filesOf(place));
  const arriving = all.filter((each) => each.includes('/arrivals/'));
  const stored = all.filter((each) => /\/[0-9a-f]{32}$/.test(each) && !arriving.includes(each));
  const [row] = await place.ask('SELECT COUNT(*) AS n FROM attachment');
  return [arriving.length, stored.length, Number(row?.['n'])];
}

function paths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each));
  return all.filter((each) => statSync(each).isFile());
}

/** Returns names and contents of a ticket's attachments, as listed and downloaded. */
async function served(node: Node, { key }: Place, ticket: number): Promise<string[][]> {
  const headers = { Authorization: `Bearer ${key}` };
  const get = (query: string) => fetch(`${node.url}/admin/api/v1/tickets.php?${query}&id=${ticket}`, { headers });
  const { data } = (await (await get('action=attachments')).json()) as {
    data: { attachment_id: number; filename: string }[];
  };
  const texts: string[][] = [];
  for (const { attachment_id, filename } of data)
    texts.push([filename, await (await get(`action=attachment&attachment_id=${attachment_id}`)).text()]);
  return texts;
}

async function tidy(place: Place): Promise<void> {
  await place.open(async (app) => {
    await tidyAttachments(app.system());
    if (missingFiles(app).count > 0) throw new Error('A row lacks its file');
  });
}

function makeOld(folder: string): void {
  const then = Date.now() / 1000 - 2 * 86_400;
  for (const each of paths(folder)) utimesSync(each, then, then);
}
