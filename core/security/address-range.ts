// Lists of IP addresses and ranges that administrators enter.
import { blockOf, firstOf, isWhole } from '../kit/ip.ts';

/** An address or CIDR range in canonical form (`192.0.2.7`, `10.0.0.0/8`); undefined when it is neither (V-23). */
export function addressRange(text: string): string | undefined {
  const range = blockOf(text.trim());
  if (!range) return undefined;
  const { address, bits } = range;
  return isWhole(range) ? address.toString() : `${firstOf(address, bits).toString()}/${bits}`;
}

/** Whether an address, or a whole range, lies within one of the ranges; false when `text` is neither. */
export function isWithin(text: string, ranges: readonly string[]): boolean {
  const inner = blockOf(text);
  if (!inner) return false;
  return ranges.some((each) => {
    const outer = blockOf(each);
    return (
      outer?.address.kind() === inner.address.kind() &&
      outer.bits <= inner.bits &&
      inner.address.match([outer.address, outer.bits])
    );
  });
}
