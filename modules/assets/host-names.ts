// Host names: `srv-1` and `srv-1.corp.example` are the same host.
import { normalised } from '@keelson/core';
import { readAddress } from '@keelson/core/kit';

const LONGEST = 63;
const ADDRESS = /^[\d.]+$/;

/** Returns the normalised first label of a host name; an IP address stays whole. */
export function hostKey(name: string): string {
  const plain = normalised(name);
  const first = ADDRESS.test(plain) ? plain : (plain.split('.')[0] ?? '');
  return Array.from(first).slice(0, LONGEST).join('');
}

const placeholders: ReadonlySet<string> = new Set([
  ...[
    'localhost',
    'localhost4',
    'localhost6',
    'android',
    'iphone',
    'ipad',
    'espressif',
    'unknown',
    'none',
    'null',
    'n/a',
  ],
  ...['(none)', '?', '*', '-', '_gateway', 'default', 'undefined', 'hostname', 'not available', 'not specified'],
]);

/** Returns true if a host name names no particular host, such as localhost or an IP address. */
export function isPlaceholderHost(name: string): boolean {
  const plain = normalised(name).replace(/\.$/, '');
  return readAddress(plain) !== undefined || placeholders.has(plain) || /^localhost[46]?(\.|$)/.test(plain);
}

/** Returns true if two names denote the same host: they are equal, or one is the other without its domain. */
export function isSameHost(a: string, b: string): boolean {
  const [one, other] = [normalised(a).replace(/\.$/, ''), normalised(b).replace(/\.$/, '')];
  if (one === other) return true;
  if (ADDRESS.test(one) || ADDRESS.test(other)) return false;
  return one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
    ? !one.includes('.') || !other.includes('.')
    : false;
}
