// RP-05: a ready process may already have work, so a signal must not simply kill it.
import { resolve } from 'node:path';
import test from 'ava';
import { freePort, startNode } from './_node.ts';
import { engine, makePlace } from './_place.ts';

test.serial(`a process stopped right after start-up drains (${engine})`, async (t) => {
  const place = await makePlace(t, { pluginsDir: resolve(import.meta.dirname, 'slow-plugins') });
  const node = startNode(t, place, await freePort());
  await node.ready();
  t.is(await node.end('SIGTERM'), 0, node.said());
});
