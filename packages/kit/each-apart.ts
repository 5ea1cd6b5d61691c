// Runs work for a list of items, isolating failures.
import { messageOf } from './message-of.ts';

interface Failure<T> {
  readonly item: T;
  readonly error: unknown;
}

/**
 * Runs `work` for each item in turn. A failing item does not stop the others.
 * @param items the items, or a generator that reads them when they are needed
 * @param nameOf returns an item's name for the error message
 * @throws AggregateError at the end, with the names of the failed items and the reasons
 */
export async function eachApart<T>(
  items: Iterable<T> | AsyncIterable<T>,
  nameOf: (item: T) => string,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failed: Failure<T>[] = [];
  for await (const item of items) await attempt(failed, item, () => work(item));
  throwFailed(failed, nameOf);
}

/** A part of a job. */
export interface Part {
  /** For the error message. */
  readonly name: string;
  run(): Promise<unknown>;
}

/** Runs the parts of a job in turn, as `eachApart`. @throws AggregateError naming the parts that failed */
export const partsApart = (parts: Iterable<Part> | AsyncIterable<Part>): Promise<void> =>
  eachApart(
    parts,
    ({ name }) => name,
    ({ run }) => run(),
  );

/** Work on the records that are due, in batches. */
export interface Batches<T> {
  /** The size of a full batch. A smaller one is the last. */
  readonly size: number;
  /** Reads the next batch, without the items that have failed. */
  read(failed: readonly T[]): Promise<readonly T[]>;
  /** Returns an item's name for the error message. */
  nameOf(item: T): string;
  /** Processes all of these items or, if it fails, none. */
  work(items: readonly T[]): Promise<unknown>;
}

/**
 * Works through batches. The items of a failing batch are tried again one by one, so that a failing item stops neither
 * the others of its batch nor later batches.
 * @throws AggregateError at the end, with the names of the failed items and the reasons
 */
export async function batchesApart<T>({ size, read, nameOf, work }: Batches<T>): Promise<void> {
  const failed: Failure<T>[] = [];
  for (;;) {
    const batch = await read(failed.map(({ item }) => item));
    if (batch.length > 0 && !(await succeeds(() => work(batch))))
      for (const item of batch) await attempt(failed, item, () => work([item]));
    if (batch.length < size) return throwFailed(failed, nameOf);
  }
}

async function attempt<T>(failed: Failure<T>[], item: T, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed.push({ item, error });
  }
}

const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );

/** Failures described in the message of the error. */
const MOST_REASONS = 10;

function throwFailed<T>(failed: readonly Failure<T>[], nameOf: (item: T) => string): void {
  if (failed.length === 0) return;
  const reasons = failed.slice(0, MOST_REASONS).map(({ item, error }) => `${nameOf(item)}: ${messageOf(error)}`);
  if (failed.length > MOST_REASONS) reasons.push(`${failed.length - MOST_REASONS} more`);
  throw new AggregateError(
    failed.map(({ error }) => error),
    reasons.join('; '),
  );
}
