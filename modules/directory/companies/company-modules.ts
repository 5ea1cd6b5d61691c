// The modules of a company (D-16).
import { invalid, type Context, type Row } from '@keelson/core';
import { Company } from '../entities/company.ts';

/** Enables and disables modules of a company; the rest stay unchanged (D-16). Returns the full map. */
export async function changeModules(
  ctx: Context,
  company: Row<typeof Company>,
  wanted: Readonly<Record<string, boolean>>,
): Promise<Readonly<Record<string, boolean>>> {
  if (Object.keys(wanted).length === 0) throw invalid('No fields to update');
  const before = await ctx.app.switches.of(ctx, company.company_number);
  const unknown = Object.keys(wanted).find((module) => !Object.hasOwn(before, module));
  if (unknown !== undefined) throw invalid(`modules may contain only: ${Object.keys(before).join(', ')}`);
  const changed = Object.entries(wanted).filter(([module, enabled]) => before[module] !== enabled);
  if (changed.length === 0) return before;
  if (!ctx.tx) throw new Error('Changing modules requires a transaction');
  await ctx.app.switches.set(ctx.tx, company.company_number, Object.fromEntries(changed), ctx.now);
  ctx.record({
    action: 'update',
    entity_type: 'company',
    entity_id: company.company_number,
    description: `Modules of ${company.customer} changed`,
    changes: Object.fromEntries(changed.map(([module, enabled]) => [module, [before[module], enabled]])),
    shownOn: { of: Company, row: company },
  });
  return { ...before, ...Object.fromEntries(changed) };
}
