// Renders Markdown in a worker thread: malicious input takes a second or more and must delay only its own reader.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface RenderJob {
  readonly text: string;
  readonly pictures: string;
}

export interface Renderer {
  /** @throws Error when it exceeds two seconds of CPU or the memory limit, or when too many are queued */
  render(job: RenderJob): Promise<string>;
  end(): Promise<void>;
}

/** CPU time limit per text. Wall-clock time would penalise a busy machine. */
const LIMIT_MS = 2000;
/** Interval at which the CPU time is read. */
const LOOK_MS = 250;
/** Limit on the time that a text takes, in intervals. A suspended process uses up only one. */
const MOST_LOOKS = 80;
/** Time limit for the thread's start, which loads its libraries. It only ends a start that hangs. */
const BEGIN_MS = 60_000;
const MOST_WAITING = 20;
/** An idle thread is ended to free its memory. */
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
      if (waiting >= MOST_WAITING) throw new Error('Too many texts are waiting to be rendered');
      waiting++;
      const turn = last.then(() => inThread(job)).finally(() => waiting--);
      // The caller gets the failure. The next job only waits for the end.
      last = turn.catch(() => undefined);
      return turn;
    },
    end,
  };
}

async function answerOf(worker: Worker, job: RenderJob): Promise<string> {
  const late = new AbortController();
  const begun = worker.cpuUsage();
  let looks = 0;
  const look = async () => {
    if (++looks >= MOST_LOOKS) late.abort();
    const { user, system } = await worker.cpuUsage(await begun);
    if ((user + system) / 1000 > LIMIT_MS) late.abort();
  };
  // If the CPU usage cannot be read, the thread has ended, so the job has already settled.
  const watch = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  try {
    const answered = once(worker, 'message', { signal: late.signal });
    worker.postMessage(job);
    const [html] = await answered;
    return String(html);
  } finally {
    clearInterval(watch);
  }
}

async function begin(): Promise<Worker> {
  const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: limits });
  worker.unref();
  await once(worker, 'message', { signal: AbortSignal.timeout(BEGIN_MS) });
  return worker;
}
