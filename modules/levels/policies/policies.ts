// Service level policies.
import {
  by,
  create,
  invalid,
  IsNull,
  normalised,
  param,
  record,
  view,
  z,
  type Context,
  type Given,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import { Company, CompanyNames, Site, SiteNames } from '@keelson/modules/directory';
import { Contract, ContractNames } from '@keelson/modules/inventory';
import { checkTeam, readTeamNames } from '@keelson/modules/tickets';
import { LevelCalendar } from '../calendars/entities.ts';
import { stopClocks } from '../clocks/stop.ts';
import { CalendarNames, PolicyNames } from '../names.ts';
import { replanPolicies } from '../replan.ts';
import { LevelPolicy } from './entities.ts';

export const Policies = record(LevelPolicy, {
  title: 'Policy',
  logTitle: 'Service level policy',
  call: ({ name }) => name,
  filters: (its) => ({
    company_number: its.is('company_number'),
    active: its.is('active'),
    search: its.by(param.search(), (_ctx, text) => matching(text, ['level_policy.name'])),
  }),
  sorts: { position: by('position') },
  order: 'asc',
  names: PolicyNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  prepare: checkConditions,
  changed: (ctx, changes) =>
    replanPolicies(
      ctx,
      changes
        .filter(({ changed }) => changed.some((each) => planned.includes(each)))
        .map(({ after }) => after.policy_id),
    ),
  removed: stopClocks,
});

/** The columns used to plan open tickets. The conditions only matter when a policy is chosen. */
const planned: readonly string[] = [
  'calendar_id',
  'targets',
  'warnings',
  'pause_on_hold',
  'pause_waiting_for_customer',
  'pause_waiting_for_approval',
  'pause_during_outages',
];

export const PolicyItem = view(Policies, {
  more: (its) => ({
    calendar_name: its.name(CalendarNames, 'calendar_id'),
    company_name: its.name(CompanyNames, 'company_number'),
    contract_name: its.name(ContractNames, 'contract_id'),
    site_name: its.name(SiteNames, 'site_number'),
    team_name: its.lookup(z.string().nullable(), 'team_id', readTeamNames, null),
  }),
});

/** By default, warns at 50 and 80 percent of a target. */
const usualWarnings = [{ percent: 50 }, { percent: 80 }] as const;

/**
 * Adds a policy. It applies to tickets created from then on.
 * @throws invalid() naming a condition that does not exist
 */
export const createPolicy = (
  ctx: Context,
  {
    warnings = [...usualWarnings],
    ...given
  }: Omit<Given<typeof Policies>, 'warnings'> & Partial<Pick<LevelPolicy, 'warnings'>>,
): Promise<LevelPolicy> => create(ctx, Policies, { ...given, warnings });

async function checkConditions(ctx: Context, after: LevelPolicy, before: LevelPolicy | undefined): Promise<void> {
  const { db } = ctx;
  const { calendar_id, company_number, contract_id, site_number, team_id } = after;
  const lock = { mode: 'pessimistic_write' } as const;
  if (calendar_id !== null && calendar_id !== before?.calendar_id)
    if (!(await db.findOne(LevelCalendar, { where: { calendar_id, deleted_at: IsNull() }, lock })))
      throw invalid('calendar_id must be an existing calendar');
  if (company_number !== null && company_number !== before?.company_number)
    if (!(await db.findOne(Company, { where: { company_number, deleted_at: IsNull() }, lock })))
      throw invalid('company_number must be an existing company');
  const isOfCompany = (row: { readonly company_number: number } | null): boolean =>
    row !== null && (company_number === null || row.company_number === company_number);
  const wanted = (what: string) => (company_number === null ? `an existing ${what}` : `a ${what} of the company`);
  // What the policy already names may have been deleted since; the policy can still be changed.
  const moved = company_number !== before?.company_number;
  if (site_number !== null && (moved || site_number !== before?.site_number))
    if (!isOfCompany(await db.findOne(Site, { where: { site_number, deleted_at: IsNull() }, lock })))
      throw invalid(`site_number must be ${wanted('site')}`);
  if (contract_id !== null && (moved || contract_id !== before?.contract_id))
    if (!isOfCompany(await db.findOneBy(Contract, { contract_id, deleted_at: IsNull() })))
      throw invalid(`contract_id must be ${wanted('contract')}`);
  if (team_id !== before?.team_id) await checkTeam(ctx, team_id);
}
