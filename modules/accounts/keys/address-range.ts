// Parses lists of IP addresses and ranges entered by administrators.
import { blockOf, firstOf, isWhole } from '@keelson/core/kit';

/** Returns an address or CIDR range in canonical form (`192.0.2.7`, `10.0.0.0/8`), or undefined if invalid (V-23). */
export function addressRange(text: string): string | undefined {
  const range = blockOf(text.trim());
  if (!range) return undefined;
  const { address, bits } = range;
  return isWhole(range) ? address.toString() : `${firstOf(address, bits).toString()}/${bits}`;
}

/** Returns true if an address or a whole range lies within one of the ranges. False if `text` is neither. */
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
