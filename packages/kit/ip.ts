// Parses IPv4 and IPv6 addresses and networks into canonical form, and into keys that sort in address order, so that
// "inside this network" is an index range.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address or block; `bits` is the prefix length. */
export interface AddressBlock {
  readonly address: Address;
  readonly bits: number;
}

/** An IP network, given by its first and last address. */
export interface IpNetwork {
  /** The first address: `10.1.2.0`, `2001:db8::`. */
  readonly address: string;
  /** `255.255.255.0` for IPv4, `/64` for IPv6. */
  readonly mask: string;
  readonly bits: number;
  readonly first_key: string;
  readonly last_key: string;
}

/** Maximum key length: `4` and 8, or `6` and 32 hexadecimal digits. */
export const ADDRESS_KEY = 33;

/** Fast path without a parser: most addresses match. */
const PLAIN_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Returns an address in canonical form (`2001:db8::1`; `192.0.2.7` for `::ffff:192.0.2.7`; `fe80::1` for `fe80::1%eth0`,
 * whose zone means nothing on another machine), or undefined (V-23).
 */
export function readAddress(text: string): string | undefined {
  const written = text.trim().replace(/^(fe[89ab][\da-f]:[\da-f:]*)%[\w.-]{1,40}$/i, '$1');
  if (PLAIN_IPV4.test(written)) return written;
  const block = blockOf(written);
  return block && isWhole(block) && !text.includes('/') ? block.address.toString() : undefined;
}

/**
 * Returns an address as a key. Keys sort in address order, IPv4 before IPv6. @throws Error if it is not an IP address
 */
export function addressKey(text: string): string {
  if (PLAIN_IPV4.test(text)) return `4${Buffer.from(text.split('.').map(Number)).toString('hex')}`;
  const block = blockOf(text);
  if (!block) throw new Error(`${text} is not an IP address`);
  return keyOf(block.address);
}

/** Returns the address for a key. */
export function addressOfKey(key: string): string {
  const bytes = [...Buffer.from(key.slice(1), 'hex')];
  return ipaddr.fromByteArray(bytes).toString();
}

/** Returns the key `steps` after this one, in the same family; undefined past the last address. */
export function keyAfter(key: string, steps = 1n): string | undefined {
  const digits = key.length - 1;
  const text = (BigInt(`0x${key.slice(1)}`) + steps).toString(16).padStart(digits, '0');
  return text.length > digits ? undefined : `${key[0]}${text}`;
}

/** Returns the number of addresses between two keys of the same family, inclusive. */
export function addressesBetween(first: string, last: string): bigint {
  return BigInt(`0x${last.slice(1)}`) - BigInt(`0x${first.slice(1)}`) + 1n;
}

/** Returns the prefix length of a mask: `255.255.255.0`, `/24` or `24`; undefined if it is invalid for the family. */
export function maskBits(text: string, family: 'ipv4' | 'ipv6'): number | undefined {
  const prefix = /^\/?(\d{1,3})$/.exec(text.trim())?.[1];
  if (prefix !== undefined) return Number(prefix) <= widthOf(family) ? Number(prefix) : undefined;
  const written = text.trim();
  const address = written.includes('/') ? undefined : blockOf(written)?.address;
  return address?.kind() === family ? (address.prefixLengthFromSubnetMask() ?? undefined) : undefined;
}

/** Returns the network that contains an address, given the prefix length. */
export function ipNetwork({ address, bits }: AddressBlock): IpNetwork {
  const first = firstOf(address, bits);
  const first_key = keyOf(first);
  const size = 2n ** BigInt(widthOf(address.kind()) - bits);
  const mask = address.kind() === 'ipv4' ? ipaddr.IPv4.subnetMaskFromPrefixLength(bits).toString() : `/${String(bits)}`;
  return { address: first.toString(), mask, bits, first_key, last_key: keyAfter(first_key, size - 1n) ?? first_key };
}

/** Parses an address, or one with a prefix length (`10.0.0.0/8`). Returns undefined if it is neither. */
export function blockOf(text: string): AddressBlock | undefined {
  const [written = '', length] = text.split('/', 2);
  // Short forms such as "10.1" are probably typos, and zone ids are only meaningful on one machine.
  if (!ipaddr.IPv4.isValidFourPartDecimal(written) && !(ipaddr.IPv6.isValid(written) && !written.includes('%')))
    return undefined;
  if (length !== undefined && !ipaddr.isValidCIDR(text)) return undefined;
  const address = ipaddr.parse(written);
  const bits = Number(length ?? widthOf(address.kind()));
  // `::ffff:1.2.3.4` is 1.2.3.4.
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? { address: address.toIPv4Address(), bits: bits - 96 }
    : { address, bits };
}

/** Returns the first address of the block that contains an address. */
export function firstOf(address: Address, bits: number): Address {
  const range = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(range)
    : ipaddr.IPv6.networkAddressFromCIDR(range);
}

/** Returns true if the block is a single address. */
export const isWhole = ({ address, bits }: AddressBlock): boolean => bits === widthOf(address.kind());

function keyOf(address: Address): string {
  const digits = Buffer.from(address.toByteArray()).toString('hex');
  return `${address.kind() === 'ipv4' ? 4 : 6}${digits}`;
}

function widthOf(family: 'ipv4' | 'ipv6'): 32 | 128 {
  return family === 'ipv4' ? 32 : 128;
}
