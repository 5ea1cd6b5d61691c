// The status page for everybody: it is asked most when things are broken, so it costs nothing and needs no database.
import { cache, invalidateOnChange, perApp, type App } from '@keelson/core';
import { Outage, OutageService } from './entities.ts';
import { readPublicStatus, type PublicStatus } from './portal-status.ts';

const FRESH_SECONDS = 10;

const memoryOf = perApp((app) => {
  const recent = cache(() => readPublicStatus(app.system()), { seconds: FRESH_SECONDS });
  // A change in this process shows at once.
  invalidateOnChange(app, recent, [Outage, OutageService]);
  const last: { status: PublicStatus | undefined; reading: Promise<PublicStatus> | undefined } = {
    status: undefined,
    reading: undefined,
  };
  return { recent, last };
});

export interface Shown {
  readonly status: PublicStatus;
  /** The database did not answer: this is how things were. */
  readonly stale: boolean;
}

/** The state of less than ten seconds ago, or the last one known while the database is away. @throws when there is none */
export async function cachedPublicStatus(app: App): Promise<Shown> {
  const { recent, last } = memoryOf(app);
  // However many ask, the database is asked once at a time.
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
