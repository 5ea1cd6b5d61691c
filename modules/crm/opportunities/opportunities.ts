// Opportunities: listed, opened, moved through the pipeline, closed, deleted.
import {
  by,
  change,
  create,
  fromMinor,
  is,
  param,
  record,
  sql,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { sameCurrency } from '@keelson/core/plugin';
import {
  changedFields,
  CustomValues,
  newFields,
  noFields,
  readFieldsOf,
  type ChangedFields,
  type GivenFields,
} from '../custom-fields/custom-values.ts';
import { OpportunityCreated, OpportunityLost, OpportunityStageChanged, OpportunityWon } from '../events.ts';
import { deleteHistory } from '../history.ts';
import { ProspectNames } from '../prospects/names.ts';
import { checkReferences } from '../references.ts';
import { unlinkOpportunity } from '../unlink.ts';
import { Opportunity } from './entities.ts';
import { OpportunityNames } from './names.ts';
import { changedPosition, findStage, initialPosition, nextPosition } from './stages.ts';

export const Opportunities = record(Opportunity, {
  title: 'Opportunity',
  call: ({ name }) => name,
  names: OpportunityNames,
  filters: (its) => ({
    // A delisted stage still finds the opportunities in it (ST-05).
    stage: its.by(param.text(100), async (ctx, text) => is('stage', (await findStage(ctx, text)) ?? text)),
    status: its.is('status'),
    assigned_to: its.is('assigned_to'),
    prospect_id: its.is('prospect_id'),
    // In minor units, both inclusive.
    min_value: its.by(param.money(), (_ctx, min) => sql`opportunity.value_minor >= ${min}`),
    max_value: its.by(param.money(), (_ctx, max) => sql`opportunity.value_minor <= ${max}`),
  }),
  sorts: { created_at: by('created_at') },
  follow: (ctx, _before, { status }) => (status === undefined ? {} : { closed_at: status === 'open' ? null : ctx.now }),
  created(ctx, opportunity) {
    ctx.emit(OpportunityCreated, dataOf(opportunity));
    emitClosed(ctx, undefined, opportunity);
  },
  changed(ctx, changes) {
    for (const { before, after } of changes) {
      if (after.stage !== before.stage)
        ctx.emit(OpportunityStageChanged, { ...dataOf(after), previous_stage: before.stage });
      emitClosed(ctx, before, after);
    }
  },
  /** Deletes its activities and notes too. Links from other records become null (C-19). */
  async removed(ctx, opportunities) {
    for (const { opportunity_id } of opportunities) {
      await deleteHistory(ctx, 'opportunity', opportunity_id);
      await unlinkOpportunity(ctx, opportunity_id);
    }
  },
});

export const OpportunityView = view(Opportunities, {
  except: ['value_minor', 'open_stage'],
  more: (its) => ({
    prospect_name: its.name(ProspectNames, 'prospect_id'),
    value: its.from(z.number(), ['value_minor'], ({ value_minor }) => fromMinor(value_minor)),
    currency: its.lookup(z.string(), 'opportunity_id', sameCurrency, ''),
    custom_fields: its.lookup(CustomValues, 'opportunity_id', readFieldsOf('opportunity'), noFields),
  }),
});

interface Common {
  /** In minor units. */
  readonly value?: number | undefined;
  readonly custom_fields?: GivenFields | undefined;
}
type Columns = 'name' | 'prospect_id' | 'contact_id' | 'stage' | 'probability' | 'expected_close_date' | 'assigned_to';
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type NewOpportunity = Common &
  Optional<Pick<Given<typeof Opportunities>, Columns | 'lead_id'>> & { readonly name: string };
export type OpportunityUpdate = Common & Pick<Wanted<typeof Opportunities>, Columns | 'status' | 'lost_reason'>;

export async function createOpportunity(
  ctx: Context,
  { custom_fields, ...given }: NewOpportunity,
): Promise<Opportunity> {
  await checkReferences(ctx, given);
  return insertOpportunity(ctx, given, await newFields(ctx, 'opportunity', custom_fields));
}

/** Inserts an opportunity with validated references and custom fields. @throws invalid() for an unknown stage */
export async function insertOpportunity(
  ctx: Context,
  { value = 0, stage, probability, ...given }: NewOpportunity,
  fields: ChangedFields,
): Promise<Opportunity> {
  const position = await initialPosition(ctx, { stage, probability });
  const closed_at = position.status === 'open' ? null : ctx.now;
  const row = { ...given, ...position, value_minor: value, closed_at };
  return create(ctx, Opportunities, row, { store: (opportunity) => fields.store(opportunity.opportunity_id) });
}

/** Changes an opportunity that was locked in the same transaction (C-15, C-16, M-23). */
export async function updateOpportunity(
  ctx: Context,
  before: Opportunity,
  { custom_fields, value, stage, status, probability, ...update }: OpportunityUpdate,
): Promise<Opportunity> {
  const position = await changedPosition(ctx, before, { stage, status, probability });
  await checkReferences(ctx, update, before);
  return storeChange(ctx, before, { ...update, ...position, value_minor: value }, custom_fields);
}

/**
 * Moves an open opportunity to the next stage; after the last one, it is won (C-14).
 * @throws conflict() when it is closed
 */
export async function advanceStage(ctx: Context, before: Opportunity): Promise<Opportunity> {
  return storeChange(ctx, before, await nextPosition(ctx, before));
}

async function storeChange(
  ctx: Context,
  before: Opportunity,
  wanted: Wanted<typeof Opportunities>,
  custom_fields?: GivenFields,
): Promise<Opportunity> {
  const fields = await changedFields(ctx, 'opportunity', before.opportunity_id, custom_fields);
  const isLost = (wanted.status ?? before.status) === 'lost';
  // Only a lost opportunity has a lost reason.
  const lost_reason = isLost ? wanted.lost_reason : null;
  const stored = { ...wanted, lost_reason };
  return change(ctx, Opportunities, before, stored, {
    extra: fields.changes,
    store: (after) => fields.store(after.opportunity_id),
  });
}

/** Returns the data for events (EV-16); their shapes leave out the other columns. */
function dataOf(opportunity: Opportunity) {
  return { ...opportunity, value: fromMinor(opportunity.value_minor) };
}

function emitClosed(ctx: Context, before: Opportunity | undefined, after: Opportunity): void {
  if (after.status === 'open' || after.status === before?.status) return;
  ctx.emit(after.status === 'won' ? OpportunityWon : OpportunityLost, dataOf(after));
}

/** Every amount is in the tenant's currency. */
