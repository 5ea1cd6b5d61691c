// Command-line options of the comparison.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Setting } from './product.ts';

export interface Asked {
  readonly setting: Setting;
  /** Tasks to compare; all of them if empty. */
  readonly tasks: readonly string[];
  /** Names of the products. */
  readonly names: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  /** Path for all figures as JSON. */
  readonly json: string | undefined;
}

/** Reads the options. @throws Error with one sentence about an option it does not understand */
export function readSetting(args: readonly string[]): Asked {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { folder: text, port: text, tasks: text, rounds: text, seconds: text, json: text },
  });
  if (!values.folder || !values.port) throw new Error('--folder and --port of the database are required');
  return {
    setting: { folder: resolve(values.folder), databasePort: Number(values.port), connections: 8 },
    tasks: values.tasks?.split(',') ?? [],
    names: positionals,
    rounds: Number(values.rounds ?? 3),
    seconds: Number(values.seconds ?? 4),
    json: values.json,
  };
}
