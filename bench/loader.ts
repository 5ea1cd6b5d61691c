// Starts load.ts and sends it jobs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Load, LoadJob, Sample, SampleJob } from './load-job.ts';

export interface Loader {
  load(job: Omit<LoadJob, 'kind'>): Promise<Load>;
  sample(job: Omit<SampleJob, 'kind'>): Promise<readonly Sample[]>;
  stop(): void;
}

export function startLoader(): Loader {
  const child = fork(join(import.meta.dirname, 'load.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ask = async (job: LoadJob | SampleJob): Promise<any> => {
    child.send(job);
    const [answer] = (await once(child, 'message')) as [{ value?: unknown; error?: string }];
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
  return {
    load: (job) => ask({ kind: 'load', ...job }),
    sample: (job) => ask({ kind: 'sample', ...job }),
    stop: () => void child.kill(),
  };
}
