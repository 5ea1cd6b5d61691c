// Free addresses of a network: not assigned to an asset, not responding, and not the gateway.
import { invalid, z, type Context } from '@keelson/core';
import { addressesBetween, addressKey, addressOfKey, keyAfter, readAddress } from '@keelson/core/kit';
import { readSlot } from '@keelson/core/plugin';
import { assignedAmong, countAssignedAddresses, readAssignedAddresses } from '@keelson/modules/assets';
import { SeenAddresses } from '../slots.ts';
import type { Network } from './entities.ts';

export const FreeAddresses = z.object({
  network_id: z.int(),
  network_address: z.string(),
  first_usable: z.string(),
  last_usable: z.string(),
  /** Addresses in this range that are assigned to assets or respond. */
  used: z.int(),
  /** Without the gateway. Null if it exceeds the safe integer range. */
  free: z.int().nullable(),
  addresses: z.array(z.string()),
});

/** Batch size for reading used addresses, and maximum number of batches per response. */
const PORTION = 1000;
const MOST_PORTIONS = 20;

/**
 * Returns up to `limit` of the lowest free addresses after `after`; fewer if the scanned part of the network is
 * crowded.
 */
export async function readFreeAddresses(
  ctx: Context,
  network: Network,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<z.infer<typeof FreeAddresses>> {
  const { network_id, network_address, gateway } = network;
  const [first, last] = usable(network);
  const between = (first_key: string, last_key: string) => ({ ...network, first_key, last_key });
  const known = await countAssignedAddresses(ctx, between(first, last));
  const seen = await readSeen(ctx, network);
  const used = known + seen.size;
  const reserved = gateway === '' ? undefined : addressKey(gateway);
  if (after !== undefined && readAddress(after) === undefined) throw invalid('after must be an IPv4 or IPv6 address');
  const start = after === undefined ? first : keyAfter(addressKey(after));
  let at = start === undefined || start < first || start.length !== first.length ? first : start;
  const free: string[] = [];
  for (let portion = 0; portion < MOST_PORTIONS && free.length < limit && at <= last; portion++) {
    const taken = await readAssignedAddresses(ctx, between(at, last), PORTION);
    const whole = taken.length < PORTION;
    const until = whole ? last : (taken.at(-1)?.address_key ?? last);
    const occupied = new Set(taken.map((each) => each.address_key));
    if (reserved) occupied.add(reserved);
    for (const each of seen) occupied.add(each);
    for (; at <= until && free.length < limit; at = keyAfter(at) ?? `${last}0`) if (!occupied.has(at)) free.push(at);
    if (whole) break;
  }
  const gatewayIsFree =
    reserved !== undefined &&
    reserved >= first &&
    reserved <= last &&
    !seen.has(reserved) &&
    !(await assignedAmong(ctx, network, [reserved])).has(reserved);
  const size = addressesBetween(first, last) - BigInt(used) - (gatewayIsFree ? 1n : 0n);
  return {
    network_id,
    network_address,
    first_usable: addressOfKey(first),
    last_usable: addressOfKey(last),
    used,
    free: size > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(size),
    addresses: free.map(addressOfKey),
  };
}

/** Returns responding addresses that belong to no asset. */
async function readSeen(ctx: Context, network: Network): Promise<ReadonlySet<string>> {
  const { network_id } = network;
  const seen = (await readSlot(ctx, SeenAddresses, [network_id]))(network_id).map((each) => each.address_key);
  return new Set(seen).difference(await assignedAmong(ctx, network, seen));
}

/** Excludes the network address and, for IPv4, the broadcast address. In a range of one or two, all are usable. */
function usable({ first_key, last_key }: Network): [string, string] {
  if (addressesBetween(first_key, last_key) <= 2n) return [first_key, last_key];
  const first = keyAfter(first_key) ?? first_key;
  return [first, first_key.startsWith('4') ? (keyAfter(last_key, -1n) ?? last_key) : last_key];
}
