// Response of the universal search: an array per requested type, and totals.
import { param, z, type Context } from '@keelson/core';
import { findRecords } from '@keelson/core/search';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;

/** Types that employees can search, even if their modules are not installed. */
export const knownToEmployees = { tickets: [], assets: [], employees: [], kb: [] };

/** Query parameters (Q-14, N-19). A larger limit is reduced to the maximum (P-03). */
export const searchQuery = z.object({
  q: param.required(param.search()),
  types: param.text(),
  limit: param.int(1).meta({ override: { default: DEFAULT_LIMIT, maximum: MAX_LIMIT } }),
});

type Asked = z.output<typeof searchQuery>;
type Where = Pick<Parameters<typeof findRecords>[1], 'surface' | 'company' | 'known'>;

/** Builds the response schema from these types and those added by plugins. */
export function answerShape<S extends z.ZodRawShape>(types: S) {
  return z
    .object({
      ...types,
      total: z.int(),
      total_capped: z.literal(true).optional(),
      suggestions: z.array(z.string()).optional(),
    })
    .catchall(z.array(z.record(z.string(), z.unknown())));
}

/** Builds the schema for the results of one type. */
export const results = <S extends z.ZodRawShape>(members: S) =>
  z.array(z.object({ ...members, score: z.number() })).optional();

/**
 * Searches everything the caller may see. Types of modules that are missing or switched off return empty arrays.
 * @param names array names that differ from their type
 */
export async function searchEverything(
  ctx: Context,
  where: Where,
  { q, types, limit = DEFAULT_LIMIT }: Asked,
  names?: ReadonlyMap<string, string>,
) {
  const found = await findRecords(ctx, { ...where, q, types, limit: Math.min(limit, MAX_LIMIT) });
  const arrays = [...found.types].map(([type, its]) => [
    names?.get(type) ?? type,
    its.map(({ shown, score }) => ({ ...shown, score })),
  ]);
  return {
    ...Object.fromEntries(arrays),
    total: found.total,
    ...(found.capped && { total_capped: true as const }),
    ...(found.suggestions.length > 0 && { suggestions: found.suggestions }),
  };
}
