// Jobs: scheduled work. Each due time runs once, however many processes there are (scheduler.ts).

export interface Job<Ctx = any> {
  /** `warranty.chase`: the plugin's id, a dot, and the action. */
  readonly name: string;
  /** A cron line of five or six fields (node-cron), in UTC. */
  readonly cron: string;
  readonly run: (ctx: Ctx, running: Running) => Promise<void>;
}

export interface Running {
  /** Aborted when the process stops. A run that lasts ends then. */
  readonly stopping: AbortSignal;
}

/** Declares a job. `run` gets the system's context outside a transaction, and opens its own short ones. */
export function job<Ctx>(name: string, cron: string, run: Job<Ctx>['run']): Job<Ctx> {
  return Object.freeze({ name, cron, run });
}
