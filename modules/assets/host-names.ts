// Host names: `srv-1` and `srv-1.corp.example` are one host.
import { normalised } from '@keelson/core';

const LONGEST = 63;
const ADDRESS = /^[\d.]+$/;

/** The first label of a host name, normalised; an address is whole. */
export function hostKey(name: string): string {
  const plain = normalised(name);
  const first = ADDRESS.test(plain) ? plain : (plain.split('.')[0] ?? '');
  return Array.from(first).slice(0, LONGEST).join('');
}

/** Whether two names are of one host: the same, or one is the other without its domain. */
export function isSameHost(a: string, b: string): boolean {
  const [one, other] = [normalised(a).replace(/\.$/, ''), normalised(b).replace(/\.$/, '')];
  if (one === other) return true;
  if (ADDRESS.test(one) || ADDRESS.test(other)) return false;
  return one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
    ? !one.includes('.') || !other.includes('.')
    : false;
}
