// Work on files of strangers in a child process, within limits on memory and time. A thread would not do: if it needs
// too much memory in one step, all end.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { cpuMsOf } from './cpu-time.ts';

export interface ChildWork {
  /** The module of the child: it collects the pieces of a file, and answers the question after it with `process.send`. */
  readonly module: URL;
  readonly heapMb: number;
  /**
   * Processor time per file, in milliseconds: a file that others can read must not fail because the machine is busy. A
   * child gets ten times as long by the clock, or this long where the system does not say what it used.
   */
  readonly cpuMs: number;
}

/** A part of a file: copying all of it to the child at once would hold up other requests. */
export interface Piece {
  readonly piece: Uint8Array;
}

const PIECE = 1024 * 1024;
/** Time is measured in steps. A suspended process uses up only one, and then reads what has arrived meanwhile. */
const STEPS = 10;
/** How many times as long as its processor time a child may take by the clock. */
const PATIENCE = 10;

/** Returns the child's answer about a file; undefined if it needs too much memory or time. */
export async function inChild<Answer>(work: ChildWork, file: Uint8Array): Promise<Answer | undefined> {
  const child = startChild(work);
  try {
    const asked = await askChild<Answer>(child, file, {}, work.cpuMs);
    return asked === 'ended' || asked === 'late' ? undefined : asked.answer;
  } finally {
    child.kill('SIGKILL');
  }
}

export function startChild({ module, heapMb }: ChildWork): ChildProcess {
  const child = fork(module, {
    execArgv: [`--max-old-space-size=${heapMb}`],
    // Its output on running out of memory is of no use, and it needs nothing of the server's environment.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    serialization: 'advanced',
  });
  // Without a listener, a failed send would end the process.
  child.on('error', () => undefined);
  return child;
}

/** Sends a file and a question about it to a child, and waits for its answer, its end or the end of its time. */
export async function askChild<Answer>(
  child: ChildProcess,
  file: Uint8Array,
  question: object,
  cpuMs: number,
): Promise<{ readonly answer: Answer } | 'ended' | 'late'> {
  if (!child.connected) return 'ended';
  const over = new AbortController();
  const { signal } = over;
  const before = cpuMsOf(child.pid);
  let steps = 0;
  const isLate = () => {
    const now = cpuMsOf(child.pid);
    if (before === undefined || now === undefined) return steps >= STEPS;
    return now - before >= cpuMs || steps >= STEPS * PATIENCE;
  };
  const timer = setInterval(() => {
    steps++;
    if (isLate()) over.abort();
  }, cpuMs / STEPS);
  try {
    const answered = once(child, 'message', { signal }) as Promise<[Answer]>;
    // Not `exit`, which may come before an answer that was sent.
    const ended = once(child, 'disconnect', { signal }).then(() => 'ended' as const);
    // Whichever of the two is not needed fails: it is stopped below.
    answered.catch(() => undefined);
    ended.catch(() => undefined);
    for (let at = 0; at < file.length && child.connected; at += PIECE) {
      child.send({ piece: file.subarray(at, at + PIECE) } satisfies Piece, () => undefined);
      await yieldToOthers();
    }
    child.send(question, () => undefined);
    const first = await Promise.race([answered, ended]);
    return first === 'ended' ? first : { answer: first[0] };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return 'late';
    throw error;
  } finally {
    clearInterval(timer);
    over.abort();
  }
}
