// The addresses of an IPv4 network in blocks of 256, as the map beside a network shows them.

/** The state of an address: assigned to an asset, responding without one, or free. */
export type AddressState = 'asset' | 'unknown' | 'gateway' | 'reserved' | 'free';

export interface Assignment {
  readonly ip_address: string;
  readonly asset_id: number | null;
  readonly machine_name: string | null;
  readonly assignment_type: string;
}

export interface MappedAddress {
  readonly address: string;
  readonly state: AddressState;
  readonly assignment?: Assignment | undefined;
}

interface Network {
  readonly network_address: string;
  readonly subnet_mask: string;
  readonly gateway: string;
  readonly ip_assignments: readonly Assignment[];
}

const BLOCK = 256;

/** Converts `10.0.0.1` to a number. Returns undefined for anything but IPv4. */
function numberOf(address: string): number | undefined {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4 || parts.some((each) => !Number.isInteger(each) || each < 0 || each > 255)) return undefined;
  return parts.reduce((sum, each) => sum * 256 + each, 0);
}

const addressOf = (value: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');

/** Returns the first and last address of an IPv4 network as numbers; undefined for IPv6. */
export function rangeOf({ network_address, subnet_mask }: Network): { first: number; last: number } | undefined {
  const [address, mask] = [numberOf(network_address.split('/')[0] ?? ''), numberOf(subnet_mask)];
  if (address === undefined || mask === undefined) return undefined;
  const size = 2 ** 32 - mask;
  const first = address - (address % size);
  return { first, last: first + size - 1 };
}

/** Returns the number of blocks in a network, and the block at an index. */
export function blockOf(network: Network, index: number): { blocks: number; addresses: MappedAddress[] } | undefined {
  const range = rangeOf(network);
  if (!range) return undefined;
  const { first, last } = range;
  const known = new Map(network.ip_assignments.map((each) => [each.ip_address, each]));
  // In a range of one or two addresses, all are usable.
  const unusable = new Set(last - first > 1 ? [addressOf(first), addressOf(last)] : []);
  const from = first + index * BLOCK;
  const addresses = Array.from({ length: Math.max(0, Math.min(BLOCK, last - from + 1)) }, (_, at) => {
    const address = addressOf(from + at);
    const assignment = known.get(address);
    return { address, state: stateOf(address, assignment), assignment };
  });
  return { blocks: Math.ceil((last - first + 1) / BLOCK), addresses };

  function stateOf(address: string, assignment: Assignment | undefined): AddressState {
    if (address === network.gateway) return 'gateway';
    if (assignment) return assignment.asset_id === null ? 'unknown' : 'asset';
    return unusable.has(address) ? 'reserved' : 'free';
  }
}
