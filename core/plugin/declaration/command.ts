// CLI commands. Core has a few of its own (process/command/commands.ts); modules and plugins list theirs in
// commands.ts, which the command line reads without loading the rest. So commands.ts imports `@keelson/core/command`
// and nothing else, and each `run` imports what it needs.
import type { Logger } from 'pino';
import type { Config } from '../../../config/config.ts';
import type { Tenancy } from '../../../config/tenants.ts';
import type { App } from '../app.ts';

export interface Running {
  /** Returns the applications of the open tenants. */
  readonly apps: () => readonly App[];
  readonly log: Logger;
  readonly port: number;
  close(): Promise<void>;
}

export interface StartOptions {
  /** `web` serves requests, `jobs` runs jobs and deliveries. Default: both. */
  readonly only?: 'web' | 'jobs';
  readonly migrate?: 'empty' | 'always' | 'never';
  /** Accepts the current master key for this database when the old one is lost. */
  readonly acceptKey?: boolean;
  /** Called once the socket listens, before the process is ready. From then on, stop the process with `close`. */
  readonly listening?: (close: () => Promise<void>) => void;
  /** Called for each tenant after it opens. */
  readonly greet?: (app: App) => Promise<void>;
}

/** The environment passed to a command. */
export interface Shell {
  /** The configuration of the tenant named by `--tenant`, or of the process. */
  readonly config: Config;
  /** The tenants the command applies to: the one named by `--tenant`, or all. */
  readonly tenancy: Tenancy;
  /**
   * Opens the tenant's application without a server. It closes when the command ends.
   * @throws Error when there are several tenants and `--tenant` is missing
   */
  open(options?: StartOptions & { readonly config?: Config }): Promise<App>;
  /** Starts the server for all tenants, or for one tenant with a different configuration. */
  start(options?: StartOptions & { readonly config?: Config }): Promise<Running>;
  /** Writes a line to standard output. */
  print(line: string): void;
}

export interface CommandOption {
  /** In commander's syntax: `--email <address>`. */
  readonly flags: string;
  readonly meaning: string;
  readonly required?: boolean;
}

/** The given options, and the first argument as `name`. */
export type CommandInput = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  /** One or two words: `seed`, `staff add`. */
  readonly name: string;
  readonly title: string;
  readonly options: readonly CommandOption[];
  readonly run: (shell: Shell, input: CommandInput) => Promise<void>;
}

/** Declares a command: `node cli.js staff add --email …`. A thrown error is printed as one sentence. */
export function command(name: string, title: string, options: readonly CommandOption[], run: Command['run']): Command {
  return Object.freeze({ name, title, options, run });
}
