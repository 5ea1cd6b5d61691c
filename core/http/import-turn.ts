// Imports need memory for their file and seconds of work, so only few run at once. Others get 429 before their file is
// read.
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';

/** Imports of people and of programs take turns apart: collectors report all day. */
const AT_ONCE = { people: 2, programs: 2 } as const;
const RETRY_SECONDS = 5;

/** Whose turn an import takes. */
export interface ImportOwner {
  readonly kind: keyof typeof AT_ONCE;
  readonly owner: string;
}

const running = perApp(() => ({ people: new Set<string>(), programs: new Set<string>() }));

/**
 * Runs `work` as an import of `owner` (a company, key or technician). An owner may have one of each kind at a time, so that
 * no company ever takes more than half of the places; a process has two of each.
 * @throws tooMany() when there is no place
 */
export async function inImportTurn<R>(app: App, { owner, kind }: ImportOwner, work: () => Promise<R>): Promise<R> {
  const owners = running(app)[kind];
  if (owners.has(owner) || owners.size >= AT_ONCE[kind])
    throw tooMany(RETRY_SECONDS, 'Another import is still running');
  owners.add(owner);
  try {
    return await work();
  } finally {
    owners.delete(owner);
  }
}
