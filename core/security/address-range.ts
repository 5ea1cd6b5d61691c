// Lists of IP addresses and ranges that administrators enter.
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address or CIDR range in canonical form (`192.0.2.7`, `10.0.0.0/8`); undefined when it is neither (V-23). */
export function addressRange(text: string): string | undefined {
  const range = rangeOf(text.trim());
  if (!range) return undefined;
  const [address, bits] = range;
  const whole = bits === (address.kind() === 'ipv4' ? 32 : 128);
  return whole ? address.toString() : `${first(address, bits).toString()}/${bits}`;
}

/** Whether an address, or a whole range, lies within one of the ranges; false when `text` is neither. */
export function isWithin(text: string, ranges: readonly string[]): boolean {
  const inner = rangeOf(text);
  if (!inner) return false;
  const [address, bits] = inner;
  return ranges.some((each) => {
    const outer = rangeOf(each);
    return outer?.[0].kind() === address.kind() && outer[1] <= bits && address.match(outer);
  });
}

function rangeOf(text: string): Range | undefined {
  const [written = '', length] = text.split('/', 2);
  // Short forms such as "10.1" are most likely typing errors, and zones have a meaning on one machine only.
  if (!ipaddr.IPv4.isValidFourPartDecimal(written) && !(ipaddr.IPv6.isValid(written) && !written.includes('%')))
    return undefined;
  if (length !== undefined && !ipaddr.isValidCIDR(text)) return undefined;
  const address = ipaddr.parse(written);
  const bits = Number(length ?? (address.kind() === 'ipv4' ? 32 : 128));
  // `::ffff:1.2.3.4` is 1.2.3.4.
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits];
}

function first(address: Range[0], bits: number): Range[0] {
  const range = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(range)
    : ipaddr.IPv6.networkAddressFromCIDR(range);
}
