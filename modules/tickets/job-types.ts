import { memoize, input, readDropdown, z, type Context } from '@keelson/core';
import { JobTypes } from './dropdowns.ts';
import type { JobTypeShape } from './shapes.ts';

export type JobType = z.infer<typeof JobTypeShape>;

const readJobTypes = (ctx: Context) => readDropdown(ctx, JobTypes);

/** A job type in a body: control characters leave it, as other invisible ones do later (T-09); NUL stays refused. */
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
 * The category a text means: the known one whatever its case, else the text as it is, without what nobody can see
 * (T-09). No text is the usual one (T-07).
 */
export async function resolveJobType(
  ctx: Context,
  text: string,
): Promise<{ name: string; requires_approval: boolean }> {
  const name = visible(text) || usualJobType;
  const known = keyed(await readJobTypes(ctx)).get(jobTypeKey(name));
  return { name: known?.value ?? name, requires_approval: known?.requires_approval ?? false };
}

/** By what a text is compared with; of two alike the first counts. */
const keyed = memoize(
  (list: Awaited<ReturnType<typeof readJobTypes>>) =>
    new Map(list.toReversed().map((each) => [jobTypeKey(each.value), each])),
);

/** The same for two texts that look the same, in any case: what a group names is not passed by a hidden character. */
export function jobTypeKey(text: string): string {
  return visible(text).replace(/\s+/g, ' ').toLowerCase();
}

const usualJobType = 'General';

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, spaceOrNothing).trim();
}

function withoutControls(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(?!\0)\p{Cc}/gu, spaceOrNothing) : value;
}

/** Tabs and line breaks stand between words. */
function spaceOrNothing(unseen: string): string {
  return /[\t-\r]/.test(unseen) ? ' ' : '';
}
