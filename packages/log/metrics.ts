// Prometheus metrics of a process: one page, labelled by tenant.
import cluster from 'node:cluster';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { withTimeout } from '@keelson/kit/timeout.ts';
import ipaddr from 'ipaddr.js';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricsOfAll } from './metrics-of-all.ts';

/** The metrics of one tenant. */
export interface Metrics {
  /** Counts a completed request. `route` is the declared route or "none", which bounds the number of series. */
  request(surface: string, route: string, status: number, seconds: number): void;
  /**
   * Adds a gauge that is read at every scrape. One that cannot be read within a second becomes NaN and is counted.
   * @param across how to merge the values of several processes. Default: max, for values that are the same in all of them.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>, across?: Across): void;
  /**
   * Adds a gauge with one value per item of a small set, whose names become the label `by`. It has no values while it
   * cannot be read: `gaugeOfEach('keelson_mailbox_lag_seconds', help, { by: 'mailbox', read: () => readLags(ctx) })`.
   */
  gaugeOfEach(name: string, help: string, each: { readonly by: string; readonly read: ReadEach }): void;
  /** The page of the whole process. */
  readonly page: MetricsPage;
  /** Stops reading the gauges. */
  close(): void;
}

/** How to merge the values of several processes. */
export type Across = 'sum' | 'min' | 'max';

type ReadEach = () => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
type Read = (() => number | Promise<number>) | ReadEach;

interface GaugeOf {
  readonly name: string;
  readonly help: string;
  readonly by?: string;
  readonly across?: Across | undefined;
}

/** The metrics of a process and of its tenants. */
export interface MetricsPage {
  readonly contentType: string;
  of(tenant: string): Metrics;
  /** Returns the page in the Prometheus format. */
  text(): Promise<string>;
}

const READ_SECONDS = 1;

/** Collects metrics of the process (memory, garbage collection, event-loop delay) and of its tenants' requests. */
export function createMetrics(): MetricsPage {
  const registry = new Registry();
  if (cluster.isWorker) shareWithAll(registry);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'keelson_requests_total',
    help: 'Requests handled.',
    labelNames: ['tenant', 'surface', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'keelson_request_seconds',
    help: 'Time from receiving a request to its response.',
    labelNames: ['tenant', 'surface', 'route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const unread = new Counter({
    name: 'keelson_gauge_failures_total',
    help: 'Gauges that could not be read.',
    labelNames: ['tenant', 'gauge'] as const,
    registers,
  });
  const gauges = new Map<string, Map<string, Read>>();

  // Read all tenants in parallel, each for at most a second: the page matters most when something is broken.
  async function collect(gauge: Gauge, name: string, by: string | undefined): Promise<void> {
    const readers = [...(gauges.get(name) ?? [])];
    const reading = readers.map(async ([tenant, read]) => {
      const late = 'The gauge timed out';
      const value = await withTimeout(READ_SECONDS, async () => read(), late).catch(() => {
        unread.inc({ tenant, gauge: name });
        return by === undefined ? Number.NaN : new Map<string, number>();
      });
      return { tenant, value };
    });
    const values = await Promise.all(reading);
    // Remove values of items that no longer exist.
    if (by !== undefined) gauge.reset();
    for (const { tenant, value } of values) {
      if (typeof value === 'number') gauge.set({ tenant }, value);
      else for (const [each, of] of value) gauge.set({ tenant, [by ?? '']: each }, of);
    }
  }

  function readersOf({ name, help, by, across = 'max' }: GaugeOf): Map<string, Read> {
    const known = gauges.get(name);
    if (known) return known;
    const made = new Map<string, Read>();
    gauges.set(name, made);
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: by === undefined ? ['tenant'] : ['tenant', by],
      registers,
      aggregator: across,
      collect: () => collect(gauge, name, by),
    });
    return made;
  }

  const page: MetricsPage = {
    contentType: registry.contentType,
    of(tenant) {
      const own = new Map<string, Read>();
      const add = (name: string, read: Read, readers: Map<string, Read>) => {
        own.set(name, read);
        readers.set(tenant, read);
      };
      return {
        page,
        request: (surface, route, status, seconds) => {
          requests.inc({ tenant, surface, route, status });
          durations.observe({ tenant, surface, route }, seconds);
        },
        gauge: (name, help, read, across) => add(name, read, readersOf({ name, help, across })),
        gaugeOfEach: (name, help, { by, read }) => add(name, read, readersOf({ name, help, by })),
        close: () => {
          for (const [name, read] of own) {
            const readers = gauges.get(name);
            // The tenant may have been reopened in the meantime.
            if (readers?.get(tenant) !== read) continue;
            readers.delete(tenant);
            registry.getSingleMetric(name)?.remove({ tenant });
          }
        },
      };
    },
    text: async () => (await metricsOfAll()) ?? registry.metrics(),
  };
  return page;
}

/** Lets the parent process read this process's metrics. */
function shareWithAll(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry]);
  // Constructing one registers this process's message handler.
  void new AggregatorRegistry();
}

export interface Scrape {
  /** The address of the socket itself, not one claimed by a header. */
  readonly socketAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Whether a caller may read the metrics. With `METRICS_TOKEN` the caller must send it as a bearer token, even from this
 * machine, because a local proxy may not add headers. Without it the caller must connect from this machine, and not be
 * a proxy that forwards a request.
 */
export function mayReadMetrics({ socketAddress, headers }: Scrape, token: string | undefined): boolean {
  if (token) return sameText(headers.authorization ?? '', `Bearer ${token}`);
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];
  if (forwarded.some((name) => headers[name] !== undefined)) return false;
  return socketAddress !== undefined && isLoopback(socketAddress);
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** Compares digests in constant time, so that timing reveals nothing about the text. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
