// The answer of a search over everything: an array for each type that was asked for, and how many there are.
import { param, z, type Context } from '@keelson/core';
import { findRecords } from '@keelson/core/search';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;

/** The types that employees search, whether their modules are installed or not. */
export const knownToEmployees = { tickets: [], assets: [], employees: [], kb: [] };

/** The parameters (Q-14, N-19). A larger limit counts as the largest one (P-03). */
export const searchQuery = z.object({
  q: param.required(param.search()),
  types: param.text(),
  limit: param.int(1).meta({ override: { default: DEFAULT_LIMIT, maximum: MAX_LIMIT } }),
});

type Asked = z.output<typeof searchQuery>;
type Where = Pick<Parameters<typeof findRecords>[1], 'surface' | 'company' | 'known'>;

/** The shape of an answer with these types, and those that plugins add. */
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

/** The results of one type, as they are found. */
export const results = <S extends z.ZodRawShape>(members: S) =>
  z.array(z.object({ ...members, score: z.number() })).optional();

/**
 * Searches what the caller may see. Types of modules that are not installed, or switched off, come back empty.
 * @param names the arrays whose name is not that of their type
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
