// Page parameters of lists, which differ by surface (N-03, P-07).
import { shareResults } from '@keelson/kit/memoize.ts';
import { param } from '@keelson/kit/param.ts';
import { z } from 'zod';
import type { PageSize } from './surface.ts';

export interface PagingOptions {
  /** Without page parameters, return the whole list, up to 1000 rows (P-07). */
  readonly whole?: boolean;
  /** The documented page-size parameter, if not the surface's first. */
  readonly size?: string;
}

export interface Paged {
  readonly page: number;
  readonly size: number;
}

/** Maximum rows of a list returned whole (P-07). */
const MOST_WHOLE = 1000;

// No zod default: `whole` depends on whether a parameter was sent. OpenAPI takes the default from `meta`.
const pageNumber = (whole: boolean): z.ZodType =>
  whole ? param.int(1) : param.int(1).meta({ override: { default: 1 } });

function pageSize({ default: usual, max }: PageSize, whole: boolean): z.ZodType {
  const clamped = `Maximum ${max}; higher values are treated as ${max}.`;
  if (!whole) return param.int(1).meta({ override: { default: usual, maximum: max }, param: { description: clamped } });
  const description = `${clamped} Defaults to ${usual} if only page is given; with neither, all rows are returned, up to ${MOST_WHOLE}.`;
  return param.int(1).meta({ override: { maximum: max }, param: { description } });
}

const pageFields = shareResults((size: PageSize, whole: boolean) => ({
  page: pageNumber(whole),
  ...Object.fromEntries(size.names.map((name) => [name, pageSize(size, whole)])),
}));

/**
 * Combines a surface's page parameters with a list's own. The output has `page` and `size`, clamped to bounds (N-03).
 */
export function paging(size: PageSize, fields: z.ZodRawShape, options: PagingOptions): z.ZodType {
  const { whole = false, size: documented } = options;
  return z.object({ ...fields, ...pageFields(size, whole) }).transform((given) => {
    const sizes = [documented, ...size.names].map((name) => (given as Record<string, unknown>)[name ?? '']);
    const asked = sizes.find((value) => value !== undefined);
    const usual = whole && given['page'] === undefined ? MOST_WHOLE : size.default;
    return {
      ...given,
      page: Number(given['page'] ?? 1),
      size: asked === undefined ? usual : Math.min(Number(asked), size.max),
    };
  });
}
