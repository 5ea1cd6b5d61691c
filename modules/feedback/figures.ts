// Customer satisfaction: figures by technician, company or month.
import { invalid, plus, sql, today, z, type Context, type Day } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { CompanyNames, TechnicianNames } from '@keelson/modules/directory';

export const groups = ['technician', 'company', 'month'] as const;
export type Group = (typeof groups)[number];

export const SatisfactionRow = z.object({
  /** Identifies the row within the response. */
  key: z.string(),
  /** The group of this row: only the value for `group` is set. */
  assigned_to: z.int().nullable(),
  assigned_name: z.string().nullable(),
  company_number: z.int().nullable(),
  company_name: z.string().nullable(),
  month: z.string().nullable(),
  ratings: z.int(),
  good: z.int(),
  okay: z.int(),
  bad: z.int(),
  /** Percentage of good ratings. */
  good_percent: z.number(),
});
export type SatisfactionRow = z.infer<typeof SatisfactionRow>;

export interface Asked {
  readonly group: Group;
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
  readonly assigned_to?: number | undefined;
  readonly company_number?: number | undefined;
}

const MOST_ROWS = 3000;

interface Found {
  readonly value: string | number | null;
  readonly ratings: unknown;
  readonly good: unknown;
  readonly okay: unknown;
  readonly bad: unknown;
}

/** Returns the figures of the ratings given in a period; by default this month and the eleven before it. */
export async function readSatisfaction(ctx: Context, asked: Asked): Promise<SatisfactionRow[]> {
  const { group, from = yearBefore(today(ctx)), to = '9999-12-31', assigned_to, company_number } = asked;
  const values = { technician: sql`assigned_to`, company: sql`company_number`, month: sql`SUBSTR(rated_on, 1, 7)` };
  const value = values[group];
  const where = [
    sql`rated_on >= ${from}`,
    sql`rated_on <= ${to}`,
    ...(assigned_to === undefined ? [] : [sql`assigned_to = ${assigned_to}`]),
    ...(company_number === undefined ? [] : [sql`company_number = ${company_number}`]),
  ];
  const rows = await ctx.db.query<Found>(sql`SELECT ${value} AS value, COUNT(*) AS ratings,
      SUM(CASE WHEN score = 'good' THEN 1 ELSE 0 END) AS good,
      SUM(CASE WHEN score = 'okay' THEN 1 ELSE 0 END) AS okay,
      SUM(CASE WHEN score = 'bad' THEN 1 ELSE 0 END) AS bad
    FROM ticket_rating WHERE ${joined(where, ' AND ')} GROUP BY ${value} ORDER BY value LIMIT ${MOST_ROWS + 1}`);
  if (rows.length > MOST_ROWS) throw invalid('The figures have too many rows: choose a technician or a company');
  const nameOf = await readNames(ctx, group, rows);
  return rows.map((each) => rowOf(group, each, nameOf));
}

function yearBefore(day: Day): Day {
  return `${plus(`${day.slice(0, 7)}-15T00:00:00.000Z`, { days: -335 }).slice(0, 7)}-01`;
}

async function readNames({ app, db }: Context, group: Group, rows: readonly Found[]) {
  if (group === 'month') return () => null;
  const ids = rows.flatMap(({ value }) => (value === null ? [] : Number(value)));
  const names = await app.names.get(db, group === 'technician' ? TechnicianNames : CompanyNames, ids);
  return (value: Found['value']) => (value === null ? null : (names.get(Number(value)) ?? null));
}

function rowOf(group: Group, found: Found, nameOf: (value: Found['value']) => string | null): SatisfactionRow {
  const { value } = found;
  const id = value === null ? null : Number(value);
  const [ratings, good] = [Number(found.ratings), Number(found.good)];
  return {
    key: String(value ?? ''),
    assigned_to: group === 'technician' ? id : null,
    assigned_name: group === 'technician' ? nameOf(value) : null,
    company_number: group === 'company' ? id : null,
    company_name: group === 'company' ? nameOf(value) : null,
    month: group === 'month' ? String(value) : null,
    ratings,
    good,
    okay: Number(found.okay),
    bad: Number(found.bad),
    good_percent: Math.round((good / ratings) * 1000) / 10,
  };
}
