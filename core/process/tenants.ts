// The tenants of a process: each opened for itself, so that one whose database is away stops none of the others.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { TenantConfig } from '../../config/tenants.ts';
import type { App } from '../plugin/app.ts';
import { DeadlineMissed, withTimeout } from '../kit/timeout.ts';
import { byHost, type Guest } from './hosts.ts';
import type { HealthAnswer } from '../log/health.ts';
import type { MetricsPage } from '../log/metrics.ts';

export interface TenantsOptions {
  readonly tenants: readonly TenantConfig[];
  /** Builds a tenant's application and starts it; nothing of it remains when it fails. */
  readonly open: (tenant: TenantConfig) => Promise<App>;
  readonly metrics: MetricsPage;
  readonly metricsToken: string | undefined;
  readonly log: Logger;
  /** How long to wait before a tenant that could not be opened is tried again; it doubles up to a minute. */
  readonly retrySeconds?: number;
}

export interface Tenants {
  readonly handle: RequestListener;
  /** Those that can be served now. */
  readonly open: () => readonly App[];
  /** Resolves when every tenant was tried once, or after a few seconds. */
  readonly tried: Promise<void>;
  /** From now on nothing is ready. */
  drain(): void;
  close(): Promise<void>;
}

const RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 60;
/** Whoever takes longer gets ready while the others are served already. */
const TRIED_SECONDS = 5;
/** An attempt that hangs is given up; making the tables of an empty database takes a few seconds. */
const OPEN_SECONDS = 120;
const CLOSE_SECONDS = 3;

/** Opens several tenants, and goes on trying with those that cannot be opened. */
export function openTenants(options: TenantsOptions): Tenants {
  const rooms = options.tenants.map((tenant) => room(tenant, options));
  let draining = false;
  for (const each of rooms) {
    const up = () => (each.app() ? 1 : 0);
    options.metrics.of(each.slug).gauge('keelson_tenant_open', 'Whether the tenant could be opened.', up);
  }
  const guests = rooms.map((each): Guest => ({
    slug: each.slug,
    hosts: each.hosts,
    get handle() {
      return each.app()?.handle;
    },
    ready: each.ready,
  }));
  return {
    handle: byHost({ ...options, guests, draining: () => draining }),
    open: () => rooms.flatMap((each) => each.app() ?? []),
    tried: withTimeout(TRIED_SECONDS, () => Promise.all(rooms.map((each) => each.tried)), 'late').then(
      nothing,
      nothing,
    ),
    drain() {
      draining = true;
      for (const each of rooms) each.drain();
    },
    async close() {
      const ends = await Promise.allSettled(rooms.map((each) => each.close()));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** One tenant, open or not. */
function room(tenant: TenantConfig, { open, log, retrySeconds = RETRY_SECONDS }: TenantsOptions) {
  const { tenantSlug: slug } = tenant.config;
  const own = log.child({ tenant: slug });
  let app: App | undefined;
  let state: 'starting' | 'failing' | 'draining' = 'starting';
  let wait = retrySeconds;
  let timer: NodeJS.Timeout | undefined;
  let attempt = tryToOpen();
  const tried = attempt;

  async function tryToOpen(): Promise<void> {
    try {
      const opened = await inTime(open(tenant));
      if (state === 'draining') return await opened.close();
      app = opened;
      own.info('tenant: open');
    } catch (err) {
      own.error({ err }, 'tenant: it cannot be served, and will be tried again');
      if (state === 'draining') return;
      state = 'failing';
      const again = () => {
        attempt = tryToOpen();
      };
      timer = setTimeout(again, wait * 1000).unref();
      wait = Math.min(wait * 2, LONGEST_RETRY_SECONDS);
    }
  }

  const closed = (): HealthAnswer => ({ status: 503, body: { status: state } });
  return {
    slug,
    hosts: tenant.hosts,
    tried,
    app: () => app,
    ready: async () => (app ? app.health.ready() : closed()),
    drain() {
      state = 'draining';
      clearTimeout(timer);
      if (app) app.state.ready = false;
    },
    async close() {
      this.drain();
      if (app) return app.close();
      // What is being opened is closed by itself then; a database that hangs is not waited for.
      await withTimeout(CLOSE_SECONDS, () => attempt, 'late').then(nothing, nothing);
    },
  };
}

/** The application, unless it takes too long; one that comes at last is closed, for another may stand in its place. */
async function inTime(opening: Promise<App>): Promise<App> {
  try {
    return await withTimeout(OPEN_SECONDS, () => opening, `No end after ${OPEN_SECONDS} s`);
  } catch (error) {
    if (error instanceof DeadlineMissed) opening.then((late) => late.close()).catch(nothing);
    throw error;
  }
}

function nothing(): void {}
