// What the public status page shows, kept in memory: it is asked for most when things are broken, perhaps the database too.
import { cache, invalidateOnChange, perApp, type App } from '@keelson/core';
import { Outage, OutageService } from './entities.ts';
import { readPublicStatus, type PublicStatus } from './portal-status.ts';

const FRESH_SECONDS = 10;

const memoryOf = perApp((app) => {
  const recent = cache(() => readPublicStatus(app.system()), { seconds: FRESH_SECONDS });
  // What changes in this process is shown at once.
  invalidateOnChange(app, recent, [Outage, OutageService]);
  const last: { status: PublicStatus | undefined; reading: Promise<PublicStatus> | undefined } = {
    status: undefined,
    reading: undefined,
  };
  return { recent, last };
});

export interface CachedStatus {
  readonly status: PublicStatus;
  /** The database did not answer: this is the last state that was read. */
  readonly stale: boolean;
}

/** The state of less than ten seconds ago, or the last one known while the database is away. @throws when there is none */
export async function cachedPublicStatus(app: App): Promise<CachedStatus> {
  const { recent, last } = memoryOf(app);
  // Requests that come while it is read wait for the same answer.
  last.reading ??= recent.get(app.database, 'all').finally(() => (last.reading = undefined));
  try {
    last.status = await last.reading;
    return { status: last.status, stale: false };
  } catch (err) {
    if (!last.status) throw err;
    app.log.warn({ err }, 'The status page shows its last state: the database does not answer');
    return { status: last.status, stale: true };
  }
}
