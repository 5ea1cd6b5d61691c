// `npm start`: one process, or several on one machine. Loads only what both need.
import cluster from 'node:cluster';
import { messageOf } from '@keelson/kit/message-of.ts';
import { loadTenancy, type Tenancy } from '../../config/tenants.ts';
import type { StartOptions } from '../plugin/declaration/command.ts';
import { onSignals } from './signals.ts';

/** How long a process that failed to start may take to exit on its own. */
const LONGEST_END_MS = 3000;

/** Runs until a signal. Prints one sentence if it cannot start. */
export async function run(options: Pick<StartOptions, 'only'>): Promise<void> {
  try {
    const tenancy = loadTenancy();
    if (runsSeveral(tenancy, options)) {
      await serveWithSeveral(tenancy);
    } else {
      const { main } = await import('./main.ts');
      await main(tenancy, options);
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
    // Open handles must not keep alive a process that serves no one. A service manager restarts it.
    setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
  }
}

/** Serves with WEB_PROCESSES processes. @throws Error when one cannot start */
export async function serveWithSeveral({ config }: Tenancy): Promise<void> {
  const { prepareSeveral } = await import('./several.ts');
  const { start, close } = prepareSeveral(config.webProcesses);
  onSignals(close);
  await start();
}

/** Whether this process starts others to serve requests. */
export function runsSeveral({ config }: Tenancy, { only }: { readonly only?: string | undefined }): boolean {
  return config.webProcesses > 1 && only === undefined && cluster.isPrimary;
}
