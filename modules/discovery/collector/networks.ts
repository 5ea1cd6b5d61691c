// Network parsing, and the check of which networks may be scanned. A compromised server must not be able to scan
// arbitrary hosts: only networks allowed on this machine are scanned, by default private ones.
import { isIPv4, isIPv6 } from 'node:net';

export interface Block {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly bits: number;
  /** Canonical form built from the numbers, safe to pass as a program argument. */
  readonly text: string;
}

const LENGTH = { 4: 32, 6: 128 } as const;
/** Minimum prefix length; larger networks take too long to scan. */
const FEWEST_BITS = { 4: 16, 6: 112 } as const;

/** Parses a network. @throws Error unless it is in CIDR notation */
export function readBlock(text: string): Block {
  const [, address = '', length = ''] = /^([0-9a-fA-F.:]{2,45})\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  const bits = Number(length);
  if (!family || bits > LENGTH[family]) throw new Error(`${text.slice(0, 60)} is not a network`);
  const parts = family === 4 ? address.split('.').map(Number) : groupsOf(address);
  const width = family === 4 ? 8n : 16n;
  const whole = parts.reduce((sum, each) => (sum << width) + BigInt(each), 0n);
  const rest = BigInt(LENGTH[family] - bits);
  const first = (whole >> rest) << rest;
  return { family, first, bits, text: `${spelled(family, first)}/${bits}` };
}

/** Returns the networks that may be scanned; by default the private ones. @throws Error */
export function readAllowed(named: readonly string[]): readonly Block[] {
  return (named.length === 0 ? PRIVATE : named).map(readBlock);
}

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];

/** Returns a network that may be scanned. @throws Error if it is invalid, too large or not allowed */
export function scannable(text: string, allowed: readonly Block[]): Block {
  const block = readBlock(text);
  const fewest = FEWEST_BITS[block.family];
  if (block.bits < fewest) throw new Error(`${block.text} is larger than /${fewest}`);
  if (!allowed.some((each) => isWithin(block, each)))
    throw new Error(`${block.text} may not be scanned from here; --allow ${block.text} on this machine permits it`);
  return block;
}

function isWithin(block: Block, outer: Block): boolean {
  const rest = BigInt(LENGTH[outer.family] - outer.bits);
  return block.family === outer.family && block.bits >= outer.bits && block.first >> rest === outer.first >> rest;
}

function groupsOf(address: string): number[] {
  // The last four bytes may be in IPv4 notation.
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const [high, low] = [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)];
    return `${high.toString(16)}:${low.toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':').map((each) => Number.parseInt(each, 16)));
  const [before, after] = [read(head), read(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function spelled(family: 4 | 6, address: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
  return Array.from({ length: 8 }, (_, i) => ((address >> BigInt(112 - 16 * i)) & 65_535n).toString(16)).join(':');
}
