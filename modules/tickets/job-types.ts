import { input, readDropdown, z, type Context } from '@keelson/core';
import { memoize } from '@keelson/core/kit';
import { JobTypes } from './dropdowns.ts';
import type { JobTypeShape } from './shapes.ts';

export type JobType = z.infer<typeof JobTypeShape>;

const readJobTypes = (ctx: Context) => readDropdown(ctx, JobTypes);

/** A job type in a body. Control characters are removed instead of refused (T-09), except NUL. */
export const jobTypeField = z.preprocess(withoutControls, input.text(255));
export const optionalJobTypeField = z.preprocess(withoutControls, input.optionalText(255)).optional();

/** All ticket categories in the order of the dropdown. */
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

/** The categories an employee may choose from. */
export async function listActiveJobTypes(ctx: Context): Promise<JobType[]> {
  return (await listJobTypes(ctx)).filter((each) => each.active);
}

/**
 * The category that a text names: a known one in any case, otherwise the text itself without invisible characters
 * (T-09). An empty text is the default category (T-07).
 */
export async function resolveJobType(
  ctx: Context,
  text: string,
): Promise<{ name: string; requires_approval: boolean }> {
  const name = withoutInvisible(text) || DEFAULT_JOB_TYPE;
  const known = byKey(await readJobTypes(ctx)).get(jobTypeKey(name));
  return { name: known?.value ?? name, requires_approval: known?.requires_approval ?? false };
}

/** The first one where two have the same key. */
const byKey = memoize(
  (list: Awaited<ReturnType<typeof readJobTypes>>) =>
    new Map(list.toReversed().map((each) => [jobTypeKey(each.value), each])),
);

/** Equal for texts that look alike, in any case: an invisible character must not evade a group's approval rule. */
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

/** Tabs and line breaks separate words. */
function spaceOrNothing(invisible: string): string {
  return /[\t-\r]/.test(invisible) ? ' ' : '';
}
