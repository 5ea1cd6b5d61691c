import type { Database } from './filled.ts';
import { startScript, type Running } from './node-process.ts';

/** Starts the frozen floor on a filled database. */
export function startFloor({ floor }: Database): Promise<Running> {
  return startScript(['bench/floor.ts', ...floor, '0']);
}
