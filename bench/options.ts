import { parseArgs } from 'node:util';

export interface Options {
  readonly size: 'small' | 'full';
  /** Ticket counts of the filled databases, smallest first; overrides `size`. */
  readonly tickets: readonly number[] | undefined;
  readonly database: 'mariadb' | 'sqlite';
  /** Names of the parts to run; empty runs all. */
  readonly only: readonly string[];
  /** Folder to keep, so that the next run need not fill any database. */
  readonly keep: string | undefined;
  /** Path for the figures as JSON. */
  readonly json: string | undefined;
  /** Rounds per contender in every comparison. */
  readonly rounds: number;
  readonly seconds: number;
}

/** @throws Error with one sentence about an option it does not understand */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: text,
      tickets: text,
      database: text,
      only: text,
      keep: text,
      json: text,
      rounds: text,
      seconds: text,
    },
  });
  const { size = 'small', database = 'mariadb' } = values;
  if (size !== 'small' && size !== 'full') throw new Error('--size must be small or full');
  if (database !== 'mariadb' && database !== 'sqlite') throw new Error('--database must be mariadb or sqlite');
  return {
    size,
    tickets: values.tickets?.split(',').map(Number),
    database,
    only: values.only?.split(',') ?? [],
    keep: values.keep,
    json: values.json,
    rounds: Number(values.rounds ?? 5),
    seconds: Number(values.seconds ?? 2),
  };
}

/** Returns the ticket counts of the filled databases, smallest first; a company has 500. */
export function ticketsOf({ size, tickets }: Options): readonly number[] {
  if (tickets) return tickets;
  return size === 'full' ? [10_000, 100_000, 1_000_000] : [20_000, 100_000];
}
