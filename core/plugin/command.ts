// Commands of the command line. Core has a few of its own (process/commands.ts); plugins add theirs.
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Tenancy } from '../../config/tenants.ts';
import type { App } from './app.ts';

export interface Running {
  /** The applications of the tenants that are open. */
  readonly apps: () => readonly App[];
  readonly log: Logger;
  readonly port: number;
  close(): Promise<void>;
}

export interface StartOptions {
  /** `web` answers requests, `jobs` runs jobs and deliveries; both by default. */
  readonly only?: 'web' | 'jobs';
  readonly migrate?: 'empty' | 'always' | 'never';
  /** Takes the master key that is there for the database's from now on: the old one is lost. */
  readonly acceptKey?: boolean;
  /** Called once the socket listens, before anything is ready. From then on the process must be ended with `close`. */
  readonly listening?: (close: () => Promise<void>) => void;
  /** Called for each tenant once it is open. */
  readonly greet?: (app: App) => Promise<void>;
}

/** What a command gets. */
export interface Shell {
  /** The configuration of the tenant that `--tenant` names, or else of the process. */
  readonly config: Config;
  /** The tenants that the command is for: the one that `--tenant` names, or all. */
  readonly tenancy: Tenancy;
  /**
   * Opens the tenant's application without a server; it is closed when the command ends.
   * @throws Error when there are several tenants and `--tenant` names none
   */
  open(options?: StartOptions & { readonly config?: Config }): Promise<App>;
  /** Starts the server for all tenants, or for one tenant with another configuration. */
  start(options?: StartOptions & { readonly config?: Config }): Promise<Running>;
  /** Writes a line to standard output. */
  print(line: string): void;
}

export interface CommandOption {
  /** In commander's form: `--email <address>`. */
  readonly flags: string;
  readonly meaning: string;
  readonly required?: boolean;
}

export interface Command {
  /** One or two words: `seed`, `staff add`. */
  readonly name: string;
  readonly title: string;
  readonly options: readonly CommandOption[];
  readonly run: (shell: Shell, options: Readonly<Record<string, string | boolean | undefined>>) => Promise<void>;
}

/** Declares a command: `node cli.js staff add --email …`. An error that it throws is printed as one sentence. */
export function command(name: string, title: string, options: readonly CommandOption[], run: Command['run']): Command {
  return Object.freeze({ name, title, options, run });
}
