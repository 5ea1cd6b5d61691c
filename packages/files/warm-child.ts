// Children kept ready for the next piece of work, where starting a process takes longer than most pieces.
import type { ChildProcess } from 'node:child_process';
import { askChild, startChild, type ChildWork } from './child.ts';

export interface WarmWork extends ChildWork {
  /** A child ends after this many answers, */
  readonly uses: number;
  /** or without work for this long, */
  readonly idleMs: number;
}

/** Returns a child's answer to a question about a file; undefined if it needs too much memory or time. */
export type AskWarm = <Answer>(file: Uint8Array, question: object) => Promise<Answer | undefined>;

/**
 * Creates a function that works as `inChild` does, in a child that is kept for the next file. Its module answers each
 * question with `process.send`, and may disconnect between two, such as when it has grown too large. A file that ends
 * its child fails alone: the next one gets a new child.
 */
export function warmChildren(work: WarmWork): AskWarm {
  const ready: Warm[] = [];

  function begin(): Warm {
    const warm: Warm = { child: startChild(work), uses: 0, timer: undefined };
    warm.child.once('disconnect', () => remove(warm));
    return warm;
  }

  function remove(warm: Warm): void {
    clearTimeout(warm.timer);
    const at = ready.indexOf(warm);
    if (at >= 0) ready.splice(at, 1);
  }

  /** Keeps a child, without keeping this process from ending. */
  function keep(warm: Warm): void {
    warm.uses++;
    if (warm.uses >= work.uses || !warm.child.connected) return void warm.child.kill('SIGKILL');
    warm.timer = setTimeout(() => warm.child.kill('SIGKILL'), work.idleMs).unref();
    warm.child.unref();
    warm.child.channel?.unref();
    ready.push(warm);
  }

  function take(): Warm | undefined {
    const warm = ready.pop();
    if (!warm) return undefined;
    clearTimeout(warm.timer);
    warm.child.ref();
    warm.child.channel?.ref();
    return warm;
  }

  async function askOne<Answer>(warm: Warm, file: Uint8Array, question: object) {
    const asked = await askChild<Answer>(warm.child, file, question, work.cpuMs);
    if (asked === 'ended' || asked === 'late') warm.child.kill('SIGKILL');
    else keep(warm);
    return asked;
  }

  return async function ask<Answer>(file: Uint8Array, question: object): Promise<Answer | undefined> {
    const used = take();
    const asked = used && (await askOne<Answer>(used, file, question));
    // What earlier files left behind may have ended it: try once more in a new child.
    const final = asked === undefined || asked === 'ended' ? await askOne<Answer>(begin(), file, question) : asked;
    return final === 'ended' || final === 'late' ? undefined : final.answer;
  };
}

interface Warm {
  readonly child: ChildProcess;
  uses: number;
  timer: NodeJS.Timeout | undefined;
}
