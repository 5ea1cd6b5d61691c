// Distinguishes serial numbers and addresses that identify a machine from common placeholders (MO-30).
import { changeSetting, normalised, z, type Context } from '@keelson/core';
import { MeaninglessIdentifiers } from './settings.ts';

export const IdentifierLists = MeaninglessIdentifiers.shape;
type Lists = z.infer<typeof MeaninglessIdentifiers.shape>;

/** Distinguishes values that identify a machine from those that do not. */
export interface Identifiers {
  /** Returns the normalised serial number for matching assets, or null if it identifies nothing. */
  serialKey(text: string): string | null;
  /** Returns the MAC address, or blank if it identifies nothing. */
  mac(text: string): string;
}

/** Returns the identifiers as configured by administrators. */
export async function readIdentifiers(ctx: Context): Promise<Identifiers> {
  const { serial_numbers, mac_addresses, uuids } = await ctx.app.settings.get(ctx, MeaninglessIdentifiers);
  const serials = new Set([...serial_numbers, ...uuids].map(bare));
  const macs = new Set(mac_addresses.map(bare));
  return {
    serialKey(text) {
      const plain = bare(text);
      return plain === '' || isFiller(plain) || serials.has(plain) ? null : normalised(text);
    },
    mac: (text) => (isFiller(bare(text)) || macs.has(bare(text)) ? '' : text),
  };
}

/** Zeros, or one other character repeated: `XXXXXXX`, `1111111`, `ffffffff-ffff-…`. */
const isFiller = (plain: string): boolean => /^0+$|^(.)\1{3,}$/u.test(plain);

/** Keeps only letters and digits: O.E.M. equals OEM, and addresses with colons equal those with dashes. */
const bare = (text: string): string => normalised(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns the current lists. */
export const readIdentifierLists = (ctx: Context): Promise<Lists> => ctx.app.settings.get(ctx, MeaninglessIdentifiers);

/** Replaces the given lists. Applies from the next write, import and sync. */
export async function changeIdentifierLists(
  ctx: Context,
  given: { readonly [K in keyof Lists]?: Lists[K] | undefined },
): Promise<Lists> {
  return changeSetting(ctx, MeaninglessIdentifiers, {
    next: (known) => ({
      serial_numbers: distinct(given.serial_numbers ?? known.serial_numbers),
      mac_addresses: distinct(given.mac_addresses ?? known.mac_addresses),
      uuids: distinct(given.uuids ?? known.uuids),
    }),
    description: 'Ignored identifiers changed',
  });
}

const distinct = (values: readonly string[]): string[] =>
  [...new Map(values.toReversed().map((each) => [bare(each), each])).values()].toReversed();
