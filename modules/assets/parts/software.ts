// The software installed on an asset (F-74).
import { input, noun, by, view, z, In, type Context, type z as Z } from '@keelson/core';
import { AssetSoftware } from '../entities/parts.ts';

const MOST = 5000;

const SoftwareInput = z.object({
  name: input.text(255),
  version: input.optionalText(100),
  publisher: input.optionalText(255),
  installed_at: input.clearable(input.day()),
});
export type GivenSoftware = Z.output<typeof SoftwareInput>;

/** All software of an asset. The request replaces the stored list (AS-15). */
export const softwareField = z.array(SoftwareInput).max(MOST).optional();

const softwareNoun = noun(AssetSoftware, { title: 'Software', sorts: { name: by('name') }, order: 'asc' });
export const SoftwareItem = view(softwareNoun, { except: ['asset_id'] });

/** Returns the software of an asset by name. */
export function readSoftware(ctx: Context, asset_id: number): Promise<AssetSoftware[]> {
  const order = { name: 'ASC', software_id: 'ASC' } as const;
  return ctx.db.find(AssetSoftware, { where: { asset_id }, order });
}

/**
 * Replaces the software; unchanged entries keep their ids. Returns the counts before and after for the activity log, or
 * nothing if unchanged. Writes the rows directly: this is a change of the asset.
 */
export async function replaceSoftware(
  ctx: Context,
  asset_id: number,
  given: readonly GivenSoftware[],
  source: AssetSoftware['source'],
): Promise<{ software?: readonly [string, string] }> {
  const before = await readSoftware(ctx, asset_id);
  const left = Map.groupBy(before, sameAs);
  const added = given.filter((each) => left.get(sameAs(each))?.pop() === undefined);
  const gone = [...left.values()].flat().map((each) => each.software_id);
  if (added.length === 0 && gone.length === 0) return {};
  if (gone.length > 0) await ctx.db.delete(AssetSoftware, { software_id: In(gone) });
  await ctx.db.insert(
    AssetSoftware,
    added.map((each) => ({ ...each, asset_id, source })),
  );
  const [were, are] = [before.length, given.length];
  return { software: [`${were} programs`, `${are} programs (${added.length} added, ${gone.length} removed)`] };
}

/** Returns the identity of a piece of software. */
export function sameAs({ name, version = '', publisher = '', installed_at = null }: GivenSoftware): string {
  return JSON.stringify([name, version, publisher, installed_at ?? null]);
}
