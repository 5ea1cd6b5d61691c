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
    mac: (text) => {
      const plain = bare(text);
      return isFiller(plain) || isGroup(plain) || macs.has(plain) ? '' : text;
    },
  };
}

/**
 * A single digit, zeros, one or two other characters repeated (`XXXXXXX`, `ffffffff-ffff-…`, `fefefefe-…`), or
 * counting, also behind letters: `0123456`, `BSN12345678901234567`.
 */
function isFiller(plain: string): boolean {
  if (/^\d$|^(?:0x)?0+$|^x+$|^(.)\1{3,}$|^(..)\2{3,}$/u.test(plain)) return true;
  const [, letters = '', digits = ''] = /^(\p{L}*)(\d+)$/u.exec(plain) ?? [];
  const fewest = letters === '' ? FEWEST_COUNTED : FEWEST_COUNTED_BEHIND;
  return digits.length >= fewest && (COUNTING.startsWith(digits) || COUNTING.startsWith(digits, 1));
}

const COUNTING = '0123456789'.repeat(4);
/** Fewest digits that are counting, and those behind letters: `PC-1234` may be a number someone gave. */
const FEWEST_COUNTED = 4;
const FEWEST_COUNTED_BEHIND = 8;

/** A group address, which no adapter has of its own. */
const isGroup = (plain: string): boolean => /^.[13579bdf].{10}$/.test(plain);

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
