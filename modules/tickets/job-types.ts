import type { Context } from '@keelson/core';
import { JobTypes, type JobType } from './settings.ts';

/** All ticket categories in the order of the dropdown. */
export async function listJobTypes(ctx: Context): Promise<JobType[]> {
  const types = await ctx.app.settings.get(ctx, JobTypes);
  return types.toSorted((a, b) => a.sort_order - b.sort_order || a.name.localeCompare(b.name));
}

/** The categories an employee may choose from. */
export async function listActiveJobTypes(ctx: Context): Promise<JobType[]> {
  return (await listJobTypes(ctx)).filter((each) => each.active);
}

/**
 * The category a text means: the known one whatever its case, else the text as it is, without what nobody can see
 * (T-09). No text is the usual one (T-07).
 */
export async function resolveJobType(
  ctx: Context,
  text: string,
): Promise<{ name: string; requires_approval: boolean }> {
  const name = visible(text) || usualJobType;
  const key = jobTypeKey(name);
  const known = (await ctx.app.settings.get(ctx, JobTypes)).find((each) => jobTypeKey(each.name) === key);
  return known ?? { name, requires_approval: false };
}

/** The same for two texts that look the same, in any case: what a group names is not passed by a hidden character. */
export function jobTypeKey(text: string): string {
  return visible(text).replace(/\s+/g, ' ').toLowerCase();
}

const usualJobType = 'General';

function visible(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '').trim();
}
