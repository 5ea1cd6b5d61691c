// Returns the garbage of start-up to the system before the first request, so that an idle process is small, and so that
// commands stay small.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** Collects all garbage at once; about 0.1 s in which nothing else happens, so never while serving. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** How much of what is alive may be added before garbage is collected again; V8 would wait for several times as much. */
const GROWTH_PERCENT = 20;

/** For commands, which work through far more than a request and have nobody waiting for them. */
export function stayLean(): void {
  releaseMemory();
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
