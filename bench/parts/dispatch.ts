import { execFileSync } from 'node:child_process';
import type { Bench } from '../bench.ts';
import { round } from '../report.ts';

/** Measures route lookup in a process that does nothing else. */
export default async function dispatch({ report }: Bench): Promise<void> {
  const env = { PATH: process.env['PATH'] };
  const output = execFileSync(process.execPath, ['bench/dispatch-child.ts'], { env, encoding: 'utf8' });
  const { routes, one, all } = JSON.parse(output) as { routes: number; one: number; all: number };
  report.table('Finding a route', [{ routes, 'among one, µs': round(one), 'among all, µs': round(all) }]);
  report.measured('dispatch', Math.max(0, all - one));
}
