// Two processes allocate ticket numbers from one database at the same time (FT-18).
import test from 'ava';
import { findFaults } from './_consistency.ts';
import { freePort, startNode } from './_node.ts';
import { amount, engine, makePlace } from './_place.ts';
import { startWriters } from './_writers.ts';

const TICKETS = engine === 'MariaDB' ? amount(400, 3000) : 400;

test.serial(`two processes never issue the same ticket number (FT-18, ${engine})`, async (t) => {
  const place = await makePlace(t);
  const nodes = [startNode(t, place, await freePort()), startNode(t, place, await freePort())];
  await Promise.all(nodes.map((each) => each.ready()));
  const since = performance.now();
  const writers = startWriters(
    t,
    place,
    nodes.map((each) => each.url),
    64,
  );
  while (writers.acked.length < TICKETS) await writers.nextAck();
  await writers.stop();
  const { acked, unexpected, counts } = writers;
  const perSecond = Math.round(acked.length / ((performance.now() - since) / 1000));
  const codes = await Promise.all(nodes.map((each) => each.end('SIGTERM')));
  t.log(
    `FT-18 ${engine}: ${acked.length} tickets by 64 writers through 2 processes, ${perSecond} a second,`,
    `${counts.refused} refused, slowest ${Math.round(counts.slowestMs)} ms`,
  );
  t.is(new Set(acked.map((each) => each.ticket_number)).size, acked.length);
  t.deepEqual((await findFaults(place, acked)).slice(0, 10), []);
  t.deepEqual(unexpected.slice(0, 10), []);
  t.deepEqual(codes, [0, 0]);
});
