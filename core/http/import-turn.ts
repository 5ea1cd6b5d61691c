// Limits concurrent imports, because each needs memory for its file and seconds of work. An import takes its turn once
// its file has arrived, so that no one waits for a slow sender.
import { fairQueue } from '@keelson/kit/fair-queue.ts';
import { tooMany } from '@keelson/kit/problem.ts';
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';

/** Separate limits for people and programs, because collectors report all day. */
const AT_ONCE = { people: 2, programs: 2 } as const;
/** Maximum imports of each kind whose files have arrived and that wait for their turn. */
const WAITING = 20;
const RETRY_SECONDS = 5;

/** Whom an import counts towards. */
export interface ImportOwner {
  readonly kind: keyof typeof AT_ONCE;
  readonly owner: string;
}

const full = () => tooMany(RETRY_SECONDS, 'Another import is still running');
const queueOf = (atOnce: number) => fairQueue({ atOnce, waiting: 1, waitingInAll: WAITING, full });

const importsOf = perApp(() => ({
  people: { owners: new Set<string>(), inTurn: queueOf(AT_ONCE.people) },
  programs: { owners: new Set<string>(), inTurn: queueOf(AT_ONCE.programs) },
}));

/**
 * Runs `work`, from the arrival of its file on, as the only import of `owner` (a company, key or technician) of its
 * kind.
 * @throws tooMany() before the file is read, if the owner has one
 */
export async function asOnlyImport<R>(app: App, { owner, kind }: ImportOwner, work: () => Promise<R>): Promise<R> {
  const { owners } = importsOf(app)[kind];
  if (owners.has(owner)) throw full();
  owners.add(owner);
  try {
    return await work();
  } finally {
    owners.delete(owner);
  }
}

/**
 * Runs `work` when it is the owner's turn. A process runs two imports of each kind at once, and an owner has one, so
 * no company takes more than half of the slots.
 * @throws tooMany() if too many wait
 */
export function inImportTurn<R>(app: App, { owner, kind }: ImportOwner, work: () => Promise<R>): Promise<R> {
  return importsOf(app)[kind].inTurn(owner, work);
}
