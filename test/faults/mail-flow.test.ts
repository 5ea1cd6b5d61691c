// A stream of mails with attachments becomes tickets, while requests are answered beside it. The figures are reported
// only: they depend on the machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmployee } from '@keelson/modules/directory';
import { addMailbox } from '@keelson/modules/mailbox';
import anyTest from 'ava';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { until } from '../_until.ts';
import { quantile, spread } from './_figures.ts';
import { freePort, startNode } from './_node.ts';
import { amount, engine, makePlace, type Place } from './_place.ts';

const test = hasDovecot ? anyTest.serial : anyTest.serial.skip;

const MAILS = amount(60, 600);
const PER_SECOND = 20;
const SIZES = [20, 100, 1000].map((kib) => kib * 1024);
/** A sender may create 20 tickets an hour. */
const PEOPLE = 100;
const PATIENCE_MS = 240_000;

test(`a stream of mails with attachments is received as it comes (${engine})`, async (t) => {
  t.timeout(PATIENCE_MS + 120_000);
  const dovecot = await startDovecot();
  t.teardown(() => dovecot.stop());
  const place = await makePlace(t);
  await addPeople(place, dovecot);
  const node = startNode(t, place, await freePort());
  await node.ready();
  // From the first mail on, the process watches the mailbox.
  await dovecot.drop(rawOf(0, 1000));
  await until(async () => (await ticketsAfter(place, 0)).length > 0);

  const over = new AbortController();
  const loops = every(over.signal, 1000, () => heldMs(node.url));
  const answers = every(over.signal, 100, () => askMs(node.url, place.key));
  const start = performance.now();
  const arrived = new Map<string, number>();
  const delivering = (async () => {
    for (let n = 1; n <= MAILS; n++) {
      await sleep(Math.max(0, start + (n * 1000) / PER_SECOND - performance.now()));
      const raw = rawOf(n, SIZES[n % SIZES.length] ?? 0);
      arrived.set(subjectOf(n), performance.now());
      await dovecot.drop(raw);
    }
  })();
  const seen = new Map<string, number>();
  for (let after = 1; seen.size < MAILS && performance.now() - start < PATIENCE_MS; await sleep(50)) {
    for (const { ticket_id, subject } of await ticketsAfter(place, after)) {
      after = Number(ticket_id);
      seen.set(subject, performance.now());
    }
  }
  await delivering;
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  t.is(seen.size, MAILS, node.said());
  const countFiles = async () => Number((await place.ask('SELECT COUNT(*) AS n FROM attachment'))[0]?.['n']);
  await until(async () => (await countFiles()) > MAILS);
  const took = [...seen].map(([subject, at]) => at - (arrived.get(subject) ?? 0));
  t.log(
    `${engine}: ${MAILS} mails, ${PER_SECOND} a second, in ${Math.round(seconds)} s: ${(MAILS / seconds).toFixed(1)} a second;`,
    `from arrival to ticket ${spread(took)}, p99 ${Math.round(quantile(took, 0.99))} ms;`,
    `requests ${spread(await answers)}; event loop held ${spread(await loops)}`,
  );
});

/** Repeats `work` until `over` is aborted; returns the results. */
async function every(over: AbortSignal, ms: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (; !over.aborted; await sleep(ms)) results.push(await work());
  return results;
}

/** Returns how long the event loop was held at most since the last call. */
async function heldMs(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}

async function askMs(url: string, key: string): Promise<number> {
  const since = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  await (await fetch(`${url}/admin/api/v1/tickets.php?limit=5`, { headers })).text();
  return performance.now() - since;
}

const ticketsAfter = (place: Place, id: number) =>
  place.ask(`SELECT ticket_id, subject FROM ticket WHERE ticket_id > ${id} ORDER BY ticket_id`);

const subjectOf = (n: number) => `Call ${n}`;

function rawOf(n: number, size: number): string {
  const file = Buffer.alloc(size, `${n} a file of a customer; `).toString('base64').replaceAll(/.{76}/g, '$&\n');
  return [
    `From: Person ${n % PEOPLE} <person-${n % PEOPLE}@customer.example>`,
    'To: support@provider.example',
    `Subject: ${subjectOf(n)}`,
    `Message-ID: <${n}@customer.example>`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    `--b\nContent-Type: text/plain\n\nText ${n}\n`,
    '--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${n}.bin"\n\n${file}`,
    '--b--',
    '',
  ].join('\n');
}

async function addPeople(place: Place, { port, user: username, password }: Dovecot) {
  await place.open((app) =>
    app.system().transaction(async (ctx) => {
      for (let n = 0; n < PEOPLE; n++)
        await createEmployee(ctx, {
          first_name: 'Person',
          last_name: String(n),
          email: `person-${n}@customer.example`,
          company_number: place.companies[0] ?? 0,
          can_create_tickets: true,
        });
      const server = { host: '127.0.0.1', port, security: 'none', username, password } as const;
      await addMailbox(ctx, { name: 'Support', address: 'support@provider.example', ...server });
    }),
  );
}
