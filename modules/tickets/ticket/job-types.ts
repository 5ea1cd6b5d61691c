import { input, readDropdown, z, type Context } from '@keelson/core';
import { memoize } from '@keelson/core/kit';
import { JobTypes } from '../dropdowns.ts';
import type { JobTypeShape } from './shapes.ts';

export type JobType = z.infer<typeof JobTypeShape>;

const readJobTypes = (ctx: Context) => readDropdown(ctx, JobTypes);

/** Job type in a request body. Control characters other than NUL are removed, not rejected (T-09). */
export const jobTypeField = z.preprocess(withoutControls, input.text(255));
export const optionalJobTypeField = z
  .preprocess(withoutControls, input.optionalText(255))
  .optional()
  .meta({ 'x-dropdown': 'job_types' });

/** Returns all ticket categories in dropdown order. */
export async function listJobTypes(ctx: Context): Promise<JobType[]> {
  return (await readJobTypes(ctx)).map(({ id, value, description, requires_approval, active, sort_order }) => ({
    job_type_id: id,
    name: value,
    description,
    requires_approval,
    active,
    sort_order,
  }));
}

/** Returns the categories an employee can choose. */
export async function listActiveJobTypes(ctx: Context): Promise<JobType[]> {
  return (await listJobTypes(ctx)).filter((each) => each.active);
}

/**
 * Resolves a text to a category: a known one, ignoring case, or else the text without invisible characters (T-09).
 * Empty text yields the default category (T-07).
 */
export async function resolveJobType(
  ctx: Context,
  text: string,
): Promise<{ name: string; requires_approval: boolean }> {
  const name = withoutInvisible(text) || DEFAULT_JOB_TYPE;
  const known = byKey(await readJobTypes(ctx)).get(jobTypeKey(name));
  return { name: known?.value ?? name, requires_approval: known?.requires_approval ?? false };
}

/** Maps keys to categories; the first wins on duplicate keys. */
const byKey = memoize(
  (list: Awaited<ReturnType<typeof readJobTypes>>) =>
    new Map(list.toReversed().map((each) => [jobTypeKey(each.value), each])),
);

/**
 * Returns the same key for texts that look alike, ignoring case. Invisible characters must not bypass a group's
 * approval rule.
 */
export function jobTypeKey(text: string): string {
  return withoutInvisible(text).replace(/\s+/g, ' ').toLowerCase();
}

const DEFAULT_JOB_TYPE = 'General';

function withoutInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, spaceOrNothing).trim();
}

function withoutControls(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(?!\0)\p{Cc}/gu, spaceOrNothing) : value;
}

/** Replaces tabs and line breaks with a space because they separate words. */
function spaceOrNothing(invisible: string): string {
  return /[\t-\r]/.test(invisible) ? ' ' : '';
}
