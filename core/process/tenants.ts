// The tenants of a process. Each opens separately, so that one with an unreachable database does not stop the others.
import type { RequestListener } from 'node:http';
import { TimeoutError, withTimeout } from '@keelson/kit/timeout.ts';
import type { HealthAnswer } from '@keelson/log/health.ts';
import type { MetricsPage } from '@keelson/log/metrics.ts';
import type { Logger } from 'pino';
import type { TenantConfig } from '../../config/tenants.ts';
import type { App } from '../plugin/app.ts';
import { byHost, type HostedTenant } from './hosts.ts';

export interface TenantsOptions {
  readonly tenants: readonly TenantConfig[];
  /** Builds and starts a tenant's application. On failure, everything it opened is closed again. */
  readonly open: (tenant: TenantConfig) => Promise<App>;
  readonly metrics: MetricsPage;
  readonly metricsToken: string | undefined;
  readonly log: Logger;
  /** Initial delay before retrying a tenant that failed to open. Doubles up to one minute. */
  readonly retrySeconds?: number;
}

export interface Tenants {
  readonly handle: RequestListener;
  /** Returns the applications open now. */
  readonly open: () => readonly App[];
  /** Resolves when every tenant was tried once, or after a few seconds. */
  readonly tried: Promise<void>;
  /** Makes /ready fail for every tenant from now on. */
  drain(): void;
  close(): Promise<void>;
}

const RETRY_SECONDS = 2;
const LONGEST_RETRY_SECONDS = 60;
/** Server start does not wait longer than this for tenants to open. */
const TRIED_SECONDS = 5;
/** Timeout for opening a tenant. Creating the tables of an empty database takes a few seconds. */
const OPEN_SECONDS = 120;
const CLOSE_SECONDS = 3;

/** Opens several tenants, and keeps retrying those that fail to open. */
export function openTenants(options: TenantsOptions): Tenants {
  const slots = options.tenants.map((tenant) => openSlot(tenant, options));
  let draining = false;
  for (const each of slots) {
    const up = () => (each.app() ? 1 : 0);
    options.metrics.of(each.slug).gauge('keelson_tenant_open', '1 if the tenant is open.', up, 'min');
  }
  const tenants = slots.map((each): HostedTenant => ({
    slug: each.slug,
    hosts: each.hosts,
    get handle() {
      return each.app()?.handle;
    },
    ready: each.ready,
  }));
  return {
    handle: byHost({ ...options, tenants, draining: () => draining }),
    open: () => slots.flatMap((each) => each.app() ?? []),
    tried: withTimeout(TRIED_SECONDS, () => Promise.all(slots.map((each) => each.tried)), 'late').then(
      nothing,
      nothing,
    ),
    drain() {
      draining = true;
      for (const each of slots) each.drain();
    },
    async close() {
      const results = await Promise.allSettled(slots.map((each) => each.close()));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}

/** One tenant's slot in the process, whether open or being retried. */
function openSlot(tenant: TenantConfig, { open, log, retrySeconds = RETRY_SECONDS }: TenantsOptions) {
  const { tenantSlug: slug } = tenant.config;
  const tenantLog = log.child({ tenant: slug });
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
      tenantLog.info('tenant: open');
    } catch (err) {
      tenantLog.error({ err }, 'tenant: could not be opened, will retry');
      if (state === 'draining') return;
      state = 'failing';
      const retry = () => {
        attempt = tryToOpen();
      };
      timer = setTimeout(retry, wait * 1000).unref();
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
      app?.drain();
    },
    async close() {
      this.drain();
      if (app) return app.close();
      // A tenant that is still opening closes itself when done. Do not wait for one whose database hangs.
      await withTimeout(CLOSE_SECONDS, () => attempt, 'late').then(nothing, nothing);
    },
  };
}

/** Waits for the application. One that opens too late is closed, because the next attempt may have opened another. */
async function inTime(opening: Promise<App>): Promise<App> {
  try {
    return await withTimeout(OPEN_SECONDS, () => opening, `Not finished after ${OPEN_SECONDS} s`);
  } catch (error) {
    if (error instanceof TimeoutError) opening.then((late) => late.close()).catch(nothing);
    throw error;
  }
}

function nothing(): void {}
