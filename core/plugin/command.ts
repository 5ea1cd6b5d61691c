// Commands: what an operator does from the shell. Core has a few of its own (cli.ts); plugins add theirs.
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Tenancy } from '../../config/tenants.ts';
import type { App } from './app.ts';

export interface Running {
  /** The tenants that could be opened so far. */
  readonly apps: () => readonly App[];
  readonly log: Logger;
  readonly port: number;
  close(): Promise<void>;
}

export interface StartOptions {
  /** `web` answers requests, `jobs` runs jobs and deliveries; both by default. */
  readonly only?: 'web' | 'jobs';
  readonly migrate?: 'empty' | 'always' | 'never';
  /** Called once the socket listens, before anything is ready: from then on only `close` may end the process. */
  readonly listening?: (close: () => Promise<void>) => void;
  /** Called for each tenant once it is served. */
  readonly greet?: (app: App) => Promise<void>;
}

/** What a command works with. */
export interface Shell {
  /** Of the tenant that `--tenant` names, or of the process. */
  readonly config: Config;
  /** The tenants the command is for: the one that `--tenant` names, or all. */
  readonly tenancy: Tenancy;
  /** The application of the tenant, without a server; the shell closes it when the command ends. @throws when there are several */
  open(options?: StartOptions & { readonly config?: Config }): Promise<App>;
  /** The whole process, serving until it is told to stop: the tenancy, or one tenant of another configuration. */
  start(options?: StartOptions & { readonly config?: Config }): Promise<Running>;
  /** Writes a line to standard output. */
  print(line: string): void;
}

export interface CommandOption {
  /** As commander writes it: `--email <address>`. */
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

/** Declares a command: `node cli.js staff add --email …`. Problems and errors it throws are printed as one sentence. */
export function command(name: string, title: string, options: readonly CommandOption[], run: Command['run']): Command {
  return Object.freeze({ name, title, options, run });
}
