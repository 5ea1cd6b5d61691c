// What the process measures about itself, in the words of Prometheus. One registry per app: nothing is global.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Counts one answered request. `route` is the declared route or "none", so the number of series stays bounded. */
  request(surface: string, route: string, status: number, seconds: number): void;
  /** Adds a value that is read at every scrape; one that cannot be read shows as NaN and is counted. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** The page that Prometheus reads. */
  text(): Promise<string>;
}

/** Measures of the process (memory, garbage collection, event-loop delay) and of its requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'keelson_requests_total',
    help: 'Answered requests.',
    labelNames: ['surface', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'keelson_request_seconds',
    help: 'Time from the arrival of a request to its answer.',
    labelNames: ['surface', 'route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const unread = new Counter({
    name: 'keelson_gauge_failures_total',
    help: 'Gauges that could not be read.',
    labelNames: ['gauge'] as const,
    registers,
  });
  return {
    registry,
    request: (surface, route, status, seconds) => {
      requests.inc({ surface, route, status });
      durations.observe({ surface, route }, seconds);
    },
    gauge: (name, help, read) => {
      const gauge = new Gauge({ name, help, registers, collect });
      async function collect() {
        try {
          gauge.set(await read());
        } catch {
          // The page must stay readable just when something is broken: the other measures tell what.
          gauge.set(Number.NaN);
          unread.inc({ gauge: name });
        }
      }
    },
    text: () => registry.metrics(),
  };
}

export interface Scrape {
  /** The address of the socket itself, not one that a header claims. */
  readonly socketAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Whether a caller may read the metrics: with `METRICS_TOKEN` set, who sends it as bearer token; without, who connects
 * from this machine itself and is no proxy passing on somebody else's request. A set token is needed from everybody,
 * because a proxy on the same machine may add no header.
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

/** Compares digests, so that the time taken tells nothing about the text. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
