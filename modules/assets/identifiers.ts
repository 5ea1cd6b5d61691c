// Which serial numbers and addresses identify a machine, and which are what anybody writes into a blank (MO-30).
import { normalised, z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { MeaninglessIdentifiers } from './settings.ts';

export const IdentifierLists = MeaninglessIdentifiers.shape;
type Lists = z.infer<typeof MeaninglessIdentifiers.shape>;

/** Tells values that identify a machine from those that identify nothing. */
export interface Identifiers {
  /** The normalised serial number, by which an asset is known again; null for one that identifies nothing. */
  serialKey(text: string): string | null;
  /** The MAC address; blank for one that identifies nothing. */
  mac(text: string): string;
}

/** The identifiers as administrators have listed them. */
export async function readIdentifiers(ctx: Context): Promise<Identifiers> {
  const { serial_numbers, mac_addresses, uuids } = await ctx.app.settings.get(ctx, MeaninglessIdentifiers);
  const serials = new Set([...serial_numbers, ...uuids].map(bare));
  const macs = new Set(mac_addresses.map(bare));
  return {
    serialKey(text) {
      const plain = bare(text);
      return plain === '' || /^0+$/.test(plain) || serials.has(plain) ? null : normalised(text);
    },
    mac: (text) => (macs.has(bare(text)) ? '' : text),
  };
}

/** Letters and digits alone: O.E.M. and OEM are one, and so are addresses with colons or dashes. */
const bare = (text: string): string => normalised(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** The lists as they are. */
export const readIdentifierLists = (ctx: Context): Promise<Lists> => ctx.app.settings.get(ctx, MeaninglessIdentifiers);

/** Replaces the lists that are given; they count from the next write, import and sync on. */
export async function changeIdentifierLists(
  ctx: Context,
  given: { readonly [K in keyof Lists]?: Lists[K] | undefined },
): Promise<Lists> {
  const { before, after } = await ctx.app.settings.change(ctx, MeaninglessIdentifiers, (known) => ({
    serial_numbers: distinct(given.serial_numbers ?? known.serial_numbers),
    mac_addresses: distinct(given.mac_addresses ?? known.mac_addresses),
    uuids: distinct(given.uuids ?? known.uuids),
  }));
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length > 0)
    ctx.record({
      action: 'update',
      entity_type: 'setting',
      entity_id: MeaninglessIdentifiers.name,
      description: 'Values that identify no asset changed',
      changes,
    });
  return after;
}

const distinct = (values: readonly string[]): string[] =>
  [...new Map(values.toReversed().map((each) => [bare(each), each])).values()].toReversed();
