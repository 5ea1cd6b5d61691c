// Jobs: work by the clock. Each due time runs once, on however many processes (scheduler.ts).
import type { Context } from '../context.ts';

export interface Job {
  /** `warranty.chase`: the plugin's id, a dot, what it does. */
  readonly name: string;
  /** A cron line of five or six fields (node-cron), in UTC. */
  readonly cron: string;
  readonly run: (ctx: Context<undefined>) => Promise<void>;
}

/** Declares a job. `run` gets the system's context, outside a transaction: it opens its own, short ones. */
export function job(name: string, cron: string, run: (ctx: Context<undefined>) => Promise<void>): Job {
  return Object.freeze({ name, cron, run });
}
