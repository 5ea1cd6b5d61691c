// Returns start-up garbage to the system before the first request, which keeps idle processes and commands small: 205
// MiB idle instead of 246.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Collects all garbage and returns 35 MB to the system, which V8 keeps otherwise: it compacts an idle heap only after a
 * first full collection. Blocks for 0.2 s, so never call it while serving.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Heap growth, relative to live data, that triggers the next collection. V8's default is several times as much. */
const GROWTH_PERCENT = 20;

/** For commands, which process far more data than a request and are not latency-sensitive. */
export function stayLean(): void {
  releaseMemory();
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
