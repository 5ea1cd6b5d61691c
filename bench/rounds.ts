// Compares contenders within rounds: they take turns, so a disturbance of the machine affects both.
import type { Request } from './load-job.ts';
import type { Loader } from './loader.ts';
import { cpuSeconds } from './node-process.ts';
import { round } from './report.ts';

const AT_A_TIME = 500;
/**
 * Minimum warm-up turns. The floor is warm after one. V8 keeps compiling a program as large as the product for ten
 * seconds of load and more, during which it serves a third fewer requests than later. The time depends on how hot a
 * path is: ticket creation runs ten times less often than a list read. Warm-up therefore continues until no contender's
 * requests get cheaper.
 */
const LEAST_WARM_UP = 5;
const MOST_WARM_UP = 20;
/** A turn counts as cheaper below this fraction of the turns before it. */
const CHEAPER = 0.97;
/** Extra rounds for quick parts: the speed of a shared machine varies by a fifth from second to second. */
export const MORE_ROUNDS = 4;

export interface Contender {
  readonly name: string;
  readonly pid: number;
  /** Further processes whose CPU counts. */
  readonly others?: readonly number[];
  readonly port: number;
  /** Process id of the database server; undefined for an in-process database. */
  readonly database: number | undefined;
  readonly requests: readonly Request[];
  /** Unmeasured hooks before and after its turn. */
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
  /** Finishes the work its requests left behind: its CPU counts, its time does not. */
  readonly settle?: () => Promise<void>;
}

export interface Round {
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Microseconds of CPU per request. */
  readonly app: number;
  readonly db: number;
}

export type Rounds = Readonly<Record<string, readonly Round[]>>;

export interface Plan {
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures each contender once per round, after the warm-up. */
export async function compare(loader: Loader, contenders: readonly Contender[], plan: Plan): Promise<Rounds> {
  const begun = recordOf(contenders);
  const found = recordOf(contenders);
  let warm = 0;
  for (; warm < MOST_WARM_UP && (warm < LEAST_WARM_UP || !Object.values(begun).every(isWarm)); warm++)
    await takeTurns(loader, contenders, plan, warm, begun);
  for (let turn = warm; turn < warm + plan.rounds + MORE_ROUNDS; turn++)
    await takeTurns(loader, contenders, plan, turn, found);
  return found;
}

type Found = Record<string, Round[]>;

const recordOf = (contenders: readonly Contender[]): Found =>
  Object.fromEntries(contenders.map(({ name }) => [name, []]));

async function takeTurns(
  loader: Loader,
  contenders: readonly Contender[],
  plan: Plan,
  turn: number,
  into: Found,
): Promise<void> {
  for (let at = 0; at < contenders.length; at++) {
    const contender = contenders[(turn + at) % contenders.length];
    if (contender) into[contender.name]?.push(await measure(loader, contender, plan, turn));
  }
}

/**
 * Returns whether the last turn was no cheaper than those before it, by CPU time: wall-clock time depends on the
 * machine.
 */
export function isWarm(rounds: readonly Pick<Round, 'app'>[]): boolean {
  const costs = rounds.map(({ app }) => app);
  const last = costs.at(-1);
  return last !== undefined && last >= median(costs.slice(-4, -1)) * CHEAPER;
}

async function measure(loader: Loader, contender: Contender, plan: Plan, turn: number): Promise<Round> {
  const { pid, others = [], port, database } = contender;
  const { connections, seconds } = plan;
  const requests = turnOf(contender.requests, turn);
  const used = () => ({
    app: sum([pid, ...others].map(cpuSeconds)),
    db: database === undefined ? 0 : cpuSeconds(database),
  });
  await contender.before?.();
  const before = used();
  const load = await loader.load({ port, requests, connections, seconds });
  await contender.settle?.();
  const after = used();
  await contender.after?.();
  return {
    rate: load.requests / load.seconds,
    p50: load.p50,
    app: ((after.app - before.app) * 1e6) / load.requests,
    db: ((after.db - before.db) * 1e6) / load.requests,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

/** Picks different requests each round: connections start with the first one, and tokens have rate limits. */
function turnOf<T>(requests: readonly T[], turn: number): readonly T[] {
  const at = requests.length > AT_A_TIME ? (turn * AT_A_TIME) % requests.length : 0;
  return requests.slice(at, at + AT_A_TIME);
}

/** Returns the median ratio of a figure to the base's in the same round. */
export function ratio(rounds: Rounds, name: string, base: string, of: (round: Round) => number): number {
  const others = rounds[base] ?? [];
  return median((rounds[name] ?? []).map((each, i) => of(each) / of(others[i] ?? each)));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns a row of medians per contender. */
export function summary(rounds: Rounds, base: string): Record<string, string | number>[] {
  return Object.entries(rounds).map(([name, each]) => ({
    contender: name,
    'requests/s': round(median(each.map(({ rate }) => rate))),
    [`over ${base}`]: round(ratio(rounds, name, base, ({ rate }) => rate)),
    'p50 ms': round(median(each.map(({ p50 }) => p50))),
    'app µs': Math.round(median(each.map(({ app }) => app))),
    'db µs': Math.round(median(each.map(({ db }) => db))),
    'CPU over it': round(ratio(rounds, name, base, ({ app, db }) => app + db)),
  }));
}
