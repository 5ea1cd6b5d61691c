// Runs several test files in one process. AVA starts a process per file, and each would load the whole product: two
// seconds of CPU for tests that take a tenth of that. A file in a group runs as it does alone: its `before` hooks, its
// serial tests in order, its other tests concurrently, its `after` hooks. Only a few files are open at once.
import { AsyncLocalStorage } from 'node:async_hooks';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchanges, type TestExchange } from '@keelson/testing';
import ava, { type ExecutionContext, type Implementation, type TestFn } from 'ava';
import { end } from './_at-end.ts';
import { describeFailure } from './_on-failure.ts';

/**
 * Maximum files with open applications at once. Each browser and each process under fault injection is a heavy load.
 */
const OPEN_FILES = /\/all\/(?:browser|faults|undisturbed)-/.test(ava.meta.file) ? 1 : 2;
/** Concurrent tests per file. */
const SIDE_BY_SIDE = 6;

ava.after.always(end);

type Work = (t: ExecutionContext) => unknown;

/** Limits concurrency to `most`; waiting work starts in order of arrival. */
function turns(most: number): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Recent requests of the running test. */
const requests = new AsyncLocalStorage<TestExchange[]>();
exchanges.subscribe((exchange) => {
  const latest = requests.getStore();
  if (latest && latest.push(exchange as TestExchange) > 3) latest.shift();
});

const openFile = turns(OPEN_FILES);

/** A test that AVA has already called. */
interface Called {
  readonly serial: boolean;
  run(): Promise<void>;
}

class TestFile {
  readonly before: Work[] = [];
  readonly after: Work[] = [];
  #called: Called[] = [];
  #left = 0;
  #opened: Promise<void> | undefined;

  /** The body that AVA runs as the test: waits for the file's turn, then the test's. */
  take(t: ExecutionContext, serial: boolean, work: Work): Promise<void> {
    return new Promise((done, fail) => {
      this.#called.push({ serial, run: () => this.#run(t, work).then(done, fail) });
      // AVA calls all tests of a group at once, so by now it has called every test of this file.
      if (this.#called.length === 1) setImmediate(() => void openFile(() => this.#runAll()));
    });
  }

  async #runAll(): Promise<void> {
    const called = this.#called;
    this.#called = [];
    this.#left = called.length;
    for (const each of called) if (each.serial) await each.run();
    const turn = turns(SIDE_BY_SIDE);
    await Promise.all(called.filter(({ serial }) => !serial).map((each) => turn(() => each.run())));
  }

  async #run(t: ExecutionContext, work: Work): Promise<void> {
    const latest: TestExchange[] = [];
    try {
      await (this.#opened ??= runHooks(this.before, t));
      await requests.run(latest, async () => work(t));
    } catch (error) {
      for (const each of latest) t.log(show(each));
      for (const each of await describeFailure()) t.log(each);
      throw error;
    } finally {
      if (--this.#left === 0) await runHooks(this.after, t);
    }
  }
}

function show({ method, path, body, answer, log }: TestExchange): string {
  const sent = body === undefined ? '' : ` ${short(typeof body === 'string' ? body : JSON.stringify(body))}`;
  return `${method} ${path}${sent}\n→ ${answer.status} ${short(answer.text)}\n${log().join('')}`;
}

function short(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}

async function runHooks(hooks: readonly Work[], t: ExecutionContext): Promise<void> {
  for (const hook of hooks) await hook(t);
}

/** Returns AVA's `test` for the file at `url`. In a group, its titles start with the file's name. */
export function testOf(url: string): TestFn {
  const alone = ava.meta.file === url;
  const name = alone ? '' : `${relative('test', fileURLToPath(url)).replace(/\.test\.ts$/, '')} › `;
  const file = new TestFile();
  const declare =
    (serial: boolean) =>
    (title: string, work: Implementation<[]>): void => {
      ava(name + title, (t) => file.take(t, serial, work as Work));
    };
  const skip = (title: string) => ava.skip(name + title, () => {});
  const after = Object.assign((work: Work) => void file.after.push(work), {
    always: (work: Work) => void file.after.push(work),
  });
  return Object.assign(declare(false), {
    serial: Object.assign(declare(true), { skip }),
    skip,
    before: (work: Work) => void file.before.push(work),
    after,
  }) as unknown as TestFn;
}
