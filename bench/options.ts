import { parseArgs } from 'node:util';

export interface Options {
  readonly size: 'small' | 'full';
  /** How many tickets the filled databases have, instead of what the size says; smallest first. */
  readonly tickets: readonly number[] | undefined;
  readonly database: 'mariadb' | 'sqlite';
  /** Names of parts; all of them without it. */
  readonly only: readonly string[];
  /** A folder that stays, so that the next run need not fill anything. */
  readonly keep: string | undefined;
  /** Where the figures go as JSON. */
  readonly json: string | undefined;
  /** Of each contender, in every comparison. */
  readonly rounds: number;
  readonly seconds: number;
}

/** @throws Error in one sentence about an option that is not understood */
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

/** How many tickets the filled databases have, smallest first; a company has 500. */
export function ticketsOf({ size, tickets }: Options): readonly number[] {
  if (tickets) return tickets;
  return size === 'full' ? [10_000, 100_000, 1_000_000] : [20_000, 100_000];
}
