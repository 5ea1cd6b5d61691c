import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Database } from '../filled.ts';
import { startProduct } from '../node-process.ts';
import { ticketsOf } from '../options.ts';
import { round } from '../report.ts';
import { median } from '../rounds.ts';
import { auc, bareHashes, client, lanes } from '../sign-ins.ts';

const PEOPLE = 200;
const PASSWORD = 'a long walk by the sea';
const COST = 12;
/** More concurrent sign-ins than cores, as in a sign-in storm. */
const CROWD = 8;
/** Pause of the working user: enough requests for a p99 without adding load. */
const PAUSE_MS = 10;

/**
 * Measures a burst of sign-ins during other work, and whether the response time of a failed sign-in reveals known
 * accounts.
 */
export default async function signIn({ options, report, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const env = { ...database.env, PASSWORD_COST: String(COST), TRUST_PROXY: '1' };
  execFileSync(process.execPath, ['bench/people.ts', String(PEOPLE), PASSWORD], {
    env: { PATH: process.env['PATH'], ...env, LOG_LEVEL: 'error' },
    stdio: 'inherit',
  });
  const product = await startProduct(env);
  try {
    await storm(product.port, database, { options, report });
    await timing(product.port, report);
  } finally {
    await product.stop();
  }
}

type Output = Pick<Bench, 'options' | 'report'>;

async function storm(port: number, { key }: Database, { options, report }: Output): Promise<void> {
  const asked = client(port);
  const path = '/admin/api/v1/tickets.php?per_page=25';
  const work = (seconds: number) =>
    lanes(1, seconds, async () => {
      await wait(PAUSE_MS);
      return asked.get(path, key);
    });
  const seconds = options.seconds * 5;
  await work(options.seconds);
  const rows = [];
  for (let i = 0; i < options.rounds; i++) {
    const bare = await bareHashes(COST, availableParallelism(), seconds);
    const quiet = p99(await work(seconds));
    const started = performance.now();
    const crowd = lanes(CROWD, seconds, (n) => asked.signIn(`bench-${n % PEOPLE}@example.com`, PASSWORD));
    const [signedIn, others] = await Promise.all([crowd, work(seconds)]);
    const rate = (signedIn.length * 1000) / (performance.now() - started);
    const failed = [...signedIn, ...others].filter(({ status }) => status !== 200).length;
    if (failed > 0) throw new Error(`${failed} requests of the storm failed`);
    const busy = p99(others);
    rows.push({ bare, rate, quiet, busy, share: rate / bare, slower: busy / quiet });
  }
  asked.close();
  report.table(
    `Sign-in storm, ${CROWD} at once, bcrypt cost ${COST}`,
    rows.map(({ bare, rate, quiet, busy, share, slower }) => ({
      'bcrypt alone/s': round(bare),
      'sign-ins/s': round(rate),
      'over it': round(share),
      'list p99 quiet, ms': round(quiet),
      'list p99 in the storm, ms': round(busy),
      times: round(slower),
    })),
  );
  report.measured('signInRate', median(rows.map(({ share }) => share)));
  report.measured('signInOthers', median(rows.map(({ slower }) => slower)));
}

/** Sends 400 wrong passwords one at a time, alternating between known and unknown accounts. */
async function timing(port: number, report: Bench['report']): Promise<void> {
  const asked = client(port);
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let i = -4; i < PEOPLE; i++) {
    const times = [];
    for (const name of ['bench', 'nobody']) {
      const { status, ms } = await asked.signIn(`${name}-${Math.abs(i)}@example.com`, 'not the password');
      if (status !== 401) throw new Error(`A wrong password responded ${status}`);
      times.push(ms);
    }
    if (i < 0) continue;
    known.push(times[0] ?? 0);
    unknown.push(times[1] ?? 0);
  }
  asked.close();
  const found = auc(known, unknown);
  report.note(`Refused sign-ins, ${2 * PEOPLE} samples: AUC of known against unknown people ${round(found)}`);
  report.measured('signInTiming', Math.abs(found - 0.5));
}

function p99(asked: readonly { readonly ms: number }[]): number {
  const times = asked.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0;
}
