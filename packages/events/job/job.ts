// Jobs: scheduled work. Each due time runs once, however many processes there are (scheduler.ts).

export interface Job<Ctx = any> {
  /** `warranty.chase`: the plugin's id, a dot, and the action. */
  readonly name: string;
  /** A cron expression of five or six fields (node-cron), in UTC. */
  readonly cron: string;
  /** What the job does, for administrators: `Delete expired sessions`. */
  readonly title: string;
  readonly run: (ctx: Ctx, running: Running) => Promise<void>;
  /** How long it may run before it counts as failed; an hour by default. */
  readonly deadlineSeconds?: number;
}

export interface Running {
  /** Aborted when the process stops; a long run should then end. */
  readonly stopping: AbortSignal;
}

/**
 * Declares a job. `run` gets the system's context outside a transaction, and opens its own short ones. Without a title,
 * the name is shown in words.
 */
export function job<Ctx>(
  name: string,
  cron: string,
  run: Job<Ctx>['run'],
  { title = titleOf(name), ...more }: Partial<Pick<Job, 'title' | 'deadlineSeconds'>> = {},
): Job<Ctx> {
  return Object.freeze({ name, cron, title, run, ...more });
}

/** Returns `Warranty: chase vendors` for `warranty.chase-vendors`. */
function titleOf(name: string): string {
  const [plugin = '', ...work] = name.split('.');
  return `${plugin.charAt(0).toUpperCase()}${plugin.slice(1)}: ${work.join(' ').replaceAll('-', ' ')}`;
}
