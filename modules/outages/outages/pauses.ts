// Outages that pause service levels.
import { In, IsNull, MoreThanOrEqual, Not, plus, type Context } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { CompanyOutages } from '@keelson/modules/levels';
import { CompanyService, Outage } from '../entities.ts';

/** How long after its start an outage may still pause clocks. */
const LOOK_BACK = { days: -400 } as const;

async function readSpans(ctx: Context, companies: readonly number[]) {
  const recent = { started_at: Not(IsNull()), created_at: MoreThanOrEqual(plus(ctx.now, LOOK_BACK)) };
  const own = await ctx.db.findBy(Outage, { ...recent, company_number: In(companies) });
  const general = await ctx.db.findBy(Outage, { ...recent, company_number: IsNull() });
  const chosen = Map.groupBy(
    await ctx.db.findBy(CompanyService, { company_number: In(companies) }),
    (each) => each.company_number,
  );
  return new Map(
    companies.map((company_number) => {
      // A company without a list has all services (O-07).
      const services = chosen.get(company_number)?.map((each) => each.service_id);
      const its = [...own, ...general].filter(
        (each) =>
          (each.company_number === null || each.company_number === company_number) &&
          (services?.includes(each.service_id) ?? true),
      );
      return [
        company_number,
        its.flatMap(({ started_at, resolved_at, earlier_spans }) => [
          ...(earlier_spans ?? []),
          ...(started_at ? [{ from: started_at, to: resolved_at }] : []),
        ]),
      ];
    }),
  );
}

export default [fill(CompanyOutages, readSpans)];
