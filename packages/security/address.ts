// Resolves a request's client address (SF-09). X-Forwarded-For can be forged; only entries added by our own proxies
// count.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the caller's address. Each of the `trustProxyHops` proxies appends one entry to X-Forwarded-For, so the
 * caller's is that many from the right. Without proxies, or if that entry is not an address, it is the socket's.
 */
export function clientAddress(
  headers: IncomingHttpHeaders,
  socketAddress: string | undefined,
  trustProxyHops: number,
): string {
  const peer = plain(socketAddress ?? '') ?? 'unknown';
  const forwarded = headers['x-forwarded-for'];
  if (trustProxyHops < 1 || forwarded === undefined) return peer;
  const entries = String(forwarded).split(',');
  return plain(withoutPort(entries.at(-trustProxyHops)?.trim() ?? '')) ?? peer;
}

/** Returns the bucket key of an address: the /64 network of an IPv6 address (one caller's), or the IPv4 address. */
export function addressBucket(ip: string): string {
  if (isIPv4(ip)) return ip;
  const address = plain(ip);
  if (address === undefined) return 'unknown';
  if (isIPv4(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

// Canonical form: `::ffff:1.2.3.4` becomes 1.2.3.4, and zones (`%eth0`), which only matter locally, are dropped.
function plain(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [address = ''] = text.split('%');
  return isIP(address) ? ipaddr.process(address).toString() : undefined;
}

// Some proxies append the caller's port: `1.2.3.4:5678`, `[2001:db8::1]:5678`.
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
}
