// Renders texts in a thread: one of hostile Markdown takes a second and more, and must hold up nobody but who reads it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface RenderJob {
  readonly text: string;
  readonly pictures: string;
}

export interface Renderer {
  /** @throws Error when it takes two seconds of a processor or too much memory, and when too many wait already */
  render(job: RenderJob): Promise<string>;
  end(): Promise<void>;
}

/** What a text may take of a processor. Time alone says little: the machine may be busy with others. */
const LIMIT_MS = 2000;
/** And in any case. */
const LATEST_MS = 20_000;
const LOOK_MS = 250;
/** What the thread may take to begin: it loads its libraries. */
const BEGIN_MS = 10_000;
const MOST_WAITING = 20;
/** A thread that nobody needs gives its memory back. */
const IDLE_MS = 60_000;

export function createRenderer(): Renderer {
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  async function inThread(job: RenderJob): Promise<string> {
    clearTimeout(idle);
    worker ??= await begin();
    try {
      const html = await answerOf(worker, job);
      idle = setTimeout(() => void end(), IDLE_MS).unref();
      return html;
    } catch (error) {
      await end();
      throw error;
    }
  }

  return {
    async render(job) {
      if (waiting >= MOST_WAITING) throw new Error('Too many texts wait to be rendered');
      waiting++;
      const turn = last.then(() => inThread(job)).finally(() => waiting--);
      // The one who asked is told of a failure; whoever comes next only waits for its end.
      last = turn.catch(() => undefined);
      return turn;
    },
    end,
  };
}

async function answerOf(worker: Worker, job: RenderJob): Promise<string> {
  const late = new AbortController();
  const begun = worker.cpuUsage();
  const look = async () => {
    const { user, system } = await worker.cpuUsage(await begun);
    if ((user + system) / 1000 > LIMIT_MS) late.abort();
  };
  // A thread that cannot say has ended, and has answered or failed by then.
  const watch = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  try {
    const signal = AbortSignal.any([late.signal, AbortSignal.timeout(LATEST_MS)]);
    const answered = once(worker, 'message', { signal });
    worker.postMessage(job);
    const [html] = await answered;
    return String(html);
  } finally {
    clearInterval(watch);
  }
}

async function begin(): Promise<Worker> {
  const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
  const worker = new Worker(new URL('markdown-worker.ts', import.meta.url), { resourceLimits: limits });
  worker.unref();
  await once(worker, 'message', { signal: AbortSignal.timeout(BEGIN_MS) });
  return worker;
}
