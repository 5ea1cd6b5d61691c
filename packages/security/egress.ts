// The only path for outgoing requests (EV-08, SF-18). It prevents user-supplied URLs from reaching internal machines
// (SSRF). Every address a name resolves to is checked, and only those addresses are connected to.
import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Agent, buildConnector } from 'undici';
import { exchange, type EgressAnswer, type EgressOptions, type Place } from './exchange.ts';

/** Requests to other services: `ctx.app.egress`. Private networks are refused unless the operator allows them. */
export interface Egress {
  /** Returns why this URL is refused, as a sentence, or undefined if nothing in its text forbids it. */
  check(url: string): string | undefined;
  /**
   * Sends one request. Redirects are not followed. The body is truncated at `maxBytes`.
   * @throws EgressRefused when the target is not allowed; Error on timeout or no response
   */
  request(url: string, options?: EgressOptions): Promise<EgressAnswer>;
  /**
   * Looks up a host for protocols other than HTTP, such as mail servers. Returns an address that may be connected to.
   * @throws EgressRefused when the host is not allowed; Error when it is unknown
   */
  locate(host: string, port: number): Promise<string>;
  /** `fetch` under the same rules, for client libraries. Redirects are not followed. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export interface EgressPolicy {
  /** Internal ranges that may be reached: `10.1.0.0/16`. */
  readonly allowCidrs: readonly string[];
  /** For trials and tests: allows receivers on this machine. */
  readonly loopbackAllowed: boolean;
  /** Ports of this machine that are never reached: our own and the database's. */
  readonly ownPorts: readonly number[];
  /** For tests. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/** Thrown when the server must not connect to this target. */
export class EgressRefused extends Error {}

const TIMEOUT_MS = 10_000;
const INVALID = 'The URL is not valid';

/** Creates an egress with a policy. */
export function egress(policy: EgressPolicy): Egress {
  const refusalOf = (what: What) => refusalBy(policy, what);
  const refusal = refusalOf('URL');
  let opened: Promise<Agent> | undefined;
  // The HTTP client loads on the first request, so a server that sends nothing does not pay for it.
  const dispatcher = () => (opened ??= openAgent(refusal, policy.resolve ?? resolveAll));

  // Cached: the same few URLs repeat, and parsing one costs as much as signing a delivery.
  const places = new LRUCache<string, Place>({ max: 500 });

  function placeOf(text: string): Place {
    const url = URL.parse(text);
    const problem = url ? problemOf(url) : INVALID;
    if (!url || problem) throw new EgressRefused(problem);
    const place = { origin: url.origin, path: url.pathname + url.search };
    places.set(text, place);
    return place;
  }

  function check(text: string): string | undefined {
    const url = URL.parse(text);
    const problem = url ? problemOf(url) : INVALID;
    if (!url || problem) return problem;
    const literal = literalOf(url.hostname);
    return literal === undefined ? undefined : refusal(literal, portOf(url));
  }

  return {
    check,
    async request(text, options = {}) {
      const place = places.get(text) ?? placeOf(text);
      // Each connection checks its addresses.
      return exchange(await dispatcher(), place, options);
    },
    async locate(host, port) {
      const found = isIP(host) === 0 ? await (policy.resolve ?? resolveAll)(host) : [entryOf(host)];
      const problem = found.length === 0 ? 'The name has no address' : firstProblem(found, port, refusalOf('server'));
      if (problem) throw new EgressRefused(problem);
      return found[0]?.address ?? '';
    },
    fetch: async (input, init) => {
      const agent = await dispatcher();
      const undici = await import('undici');
      // A cast: the client's types are those of another version of the same classes.
      return undici.fetch(input as never, { redirect: 'manual', ...(init as object), dispatcher: agent }) as never;
    },
    close: async () => (await opened)?.destroy(),
  };
}

/** Returns the problem with a URL, ignoring its host. */
function problemOf({ protocol, username, password, port }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'The URL must start with http:// or https://';
  if (username || password) return 'The URL must not contain a username or password';
  if (port === '0') return 'The URL must not use port 0';
  return undefined;
}

type Refusal = (address: string, port: number) => string | undefined;

/** What a person has entered: the URL of a service, or the name of a server for a protocol other than HTTP. */
type What = 'URL' | 'server';

function refusalBy({ allowCidrs, loopbackAllowed, ownPorts }: EgressPolicy, what: What): Refusal {
  const listed = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text, port) => {
    const address = ipaddr.process(text);
    const range = address.range();
    const local = range === 'loopback' || isOurs(address);
    if (local && ownPorts.includes(port)) return `The ${what} must not point to this server itself`;
    // 0.0.0.0 and :: mean this machine, so no list of ranges can allow them.
    if (range === 'unspecified') return `The ${what} must not point to an unspecified address`;
    if (loopbackAllowed && range === 'loopback') return undefined;
    if (listed.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))) return undefined;
    if (!isGlobal(address)) return `The ${what} must point to a public address`;
    // Services on other low ports, such as mail servers, could interpret parts of an HTTP request as commands.
    if (what === 'URL' && port < 1024 && port !== 80 && port !== 443)
      return 'The URL must use port 80, 443 or one above 1023';
    return undefined;
  };
}

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  // Only 2000::/3 is in use. `::127.0.0.1` and the like lie outside it.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

function isOurs(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const text = address.toString();
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => ipaddr.process(entry.address.split('%')[0] ?? '').toString() === text),
  );
}

type Resolve = NonNullable<EgressPolicy['resolve']>;

async function openAgent(refusal: Refusal, resolve: Resolve): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({ connect: pinnedConnector(undici.buildConnector, refusal, resolve) });
}

/** Resolves the name, checks every address, and connects only to these addresses, without resolving again. */
function pinnedConnector(build: typeof buildConnector, refusal: Refusal, resolve: Resolve): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = literalOf(options.hostname);
    const found = literal === undefined ? resolve(options.hostname) : Promise.resolve([entryOf(literal)]);
    found
      .then((addresses) => {
        const problem =
          addresses.length === 0 ? 'The host name does not resolve' : firstProblem(addresses, port, refusal);
        if (problem) callback(new EgressRefused(problem), null);
        else build({ timeout: TIMEOUT_MS, lookup: pinnedTo(addresses) })(options, callback);
      })
      .catch((error: Error) => callback(error, null));
  };
}

function firstProblem(addresses: readonly LookupAddress[], port: number, refusal: Refusal): string | undefined {
  return addresses.map(({ address }) => refusal(address, port)).find((problem) => problem !== undefined);
}

function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return promisify(lookUp)(host, { all: true });
}

/** Returns the host if it is an address. URL has already normalised forms such as `0x7f.1`. */
function literalOf(hostname: string): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? text : undefined;
}

function entryOf(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}
