// IP addresses and networks of both families: checked, in one spelling, and as keys that are in the order of addresses, so
// that "inside this network" is a range of an index.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address or block, of which `bits` are the network's. */
export interface AddressBlock {
  readonly address: Address;
  readonly bits: number;
}

/** An IP network, described by its first and last address. */
export interface IpNetwork {
  /** Its first address: `10.1.2.0`, `2001:db8::`. */
  readonly address: string;
  /** `255.255.255.0` for IPv4, `/64` for IPv6. */
  readonly mask: string;
  readonly bits: number;
  readonly first_key: string;
  readonly last_key: string;
}

/** The characters of a key: `4` and 8, or `6` and 32 hexadecimal digits. */
export const ADDRESS_KEY = 33;

/** Most addresses by far; what a pattern tells at once needs no parser. */
const PLAIN_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An address in its usual spelling (`2001:db8::1`, and `192.0.2.7` for `::ffff:192.0.2.7`); undefined when it is none (V-23). */
export function readAddress(text: string): string | undefined {
  const written = text.trim();
  if (PLAIN_IPV4.test(written)) return written;
  const block = blockOf(written);
  return block && isWhole(block) && !text.includes('/') ? block.address.toString() : undefined;
}

/** The address as a key: of two addresses of a family the lower has the lower key, and IPv4 comes before IPv6. @throws Error */
export function addressKey(text: string): string {
  if (PLAIN_IPV4.test(text)) return `4${Buffer.from(text.split('.').map(Number)).toString('hex')}`;
  const block = blockOf(text);
  if (!block) throw new Error(`${text} is no IP address`);
  return keyOf(block.address);
}

/** The address that a key stands for. */
export function addressOfKey(key: string): string {
  const bytes = [...Buffer.from(key.slice(1), 'hex')];
  return ipaddr.fromByteArray(bytes).toString();
}

/** The key `steps` after this one, in the same family; undefined past the last address. */
export function keyAfter(key: string, steps = 1n): string | undefined {
  const digits = key.length - 1;
  const text = (BigInt(`0x${key.slice(1)}`) + steps).toString(16).padStart(digits, '0');
  return text.length > digits ? undefined : `${key[0]}${text}`;
}

/** How many addresses lie from one key to another of the same family, both included. */
export function addressesBetween(first: string, last: string): bigint {
  return BigInt(`0x${last.slice(1)}`) - BigInt(`0x${first.slice(1)}`) + 1n;
}

/** The number of network bits that a mask says: `255.255.255.0`, `/24` or `24`; undefined when it is no mask of the family. */
export function maskBits(text: string, family: 'ipv4' | 'ipv6'): number | undefined {
  const prefix = /^\/?(\d{1,3})$/.exec(text.trim())?.[1];
  if (prefix !== undefined) return Number(prefix) <= widthOf(family) ? Number(prefix) : undefined;
  const written = text.trim();
  const address = written.includes('/') ? undefined : blockOf(written)?.address;
  return address?.kind() === family ? (address.prefixLengthFromSubnetMask() ?? undefined) : undefined;
}

/** A network by an address with its number of network bits, whichever of its addresses that is. */
export function ipNetwork({ address, bits }: AddressBlock): IpNetwork {
  const first = firstOf(address, bits);
  const first_key = keyOf(first);
  const size = 2n ** BigInt(widthOf(address.kind()) - bits);
  const mask = address.kind() === 'ipv4' ? ipaddr.IPv4.subnetMaskFromPrefixLength(bits).toString() : `/${String(bits)}`;
  return { address: first.toString(), mask, bits, first_key, last_key: keyAfter(first_key, size - 1n) ?? first_key };
}

/** An address, or one with a number of network bits (`10.0.0.0/8`); undefined when the text is neither. */
export function blockOf(text: string): AddressBlock | undefined {
  const [written = '', length] = text.split('/', 2);
  // Short forms such as "10.1" are most likely typing errors, and zones have a meaning on one machine only.
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

/** The first address of the block that an address is in. */
export function firstOf(address: Address, bits: number): Address {
  const range = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(range)
    : ipaddr.IPv6.networkAddressFromCIDR(range);
}

/** Whether the block is a single address. */
export const isWhole = ({ address, bits }: AddressBlock): boolean => bits === widthOf(address.kind());

function keyOf(address: Address): string {
  const digits = Buffer.from(address.toByteArray()).toString('hex');
  return `${address.kind() === 'ipv4' ? 4 : 6}${digits}`;
}

function widthOf(family: 'ipv4' | 'ipv6'): 32 | 128 {
  return family === 'ipv4' ? 32 : 128;
}
