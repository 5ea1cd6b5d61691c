// Limits concurrent imports, because each needs memory for its file and seconds of work. Others get 429 before their
// file is read.
import { tooMany } from '@keelson/kit/problem.ts';
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';

/** Separate limits for people and programs, because collectors report all day. */
const AT_ONCE = { people: 2, programs: 2 } as const;
const RETRY_SECONDS = 5;

/** Whom an import counts towards. */
export interface ImportOwner {
  readonly kind: keyof typeof AT_ONCE;
  readonly owner: string;
}

const running = perApp(() => ({ people: new Set<string>(), programs: new Set<string>() }));

/**
 * Runs `work` as an import of `owner` (a company, key or technician). An owner may run one import of each kind and a
 * process two, so no company takes more than half of the slots.
 * @throws tooMany() when no slot is free
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
