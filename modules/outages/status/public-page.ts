// In-memory cache of the public status page, which is needed most during failures, possibly of the database.
import { cache, invalidateOnChange, perApp, type App } from '@keelson/core';
import { Outage, OutageService } from '../entities.ts';
import { readPublicStatus, type PublicStatus } from './portal-status.ts';

const FRESH_SECONDS = 10;

const memoryOf = perApp((app) => {
  const recent = cache(app, () => readPublicStatus(app.system()), { seconds: FRESH_SECONDS });
  // Changes in this process apply at once.
  invalidateOnChange(app, recent, [Outage, OutageService]);
  const last: { status: PublicStatus | undefined; reading: Promise<PublicStatus> | undefined } = {
    status: undefined,
    reading: undefined,
  };
  return { recent, last };
});

export interface CachedStatus {
  readonly status: PublicStatus;
  /** The database was unavailable; this is the last known status. */
  readonly stale: boolean;
}

/**
 * Returns the status, at most ten seconds old, or the last known one if the database is unavailable.
 * @throws if there is none
 */
export async function cachedPublicStatus(app: App): Promise<CachedStatus> {
  const { recent, last } = memoryOf(app);
  // Concurrent requests share one read.
  last.reading ??= recent.get(app.database, 'all').finally(() => (last.reading = undefined));
  try {
    last.status = await last.reading;
    return { status: last.status, stale: false };
  } catch (err) {
    if (!last.status) throw err;
    app.log.warn({ err }, 'The status page is showing its last state: the database is not responding');
    return { status: last.status, stale: true };
  }
}
