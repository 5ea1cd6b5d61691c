// Opportunities: found, opened, moved, closed, deleted.
import { changesBetween, notFound, updateCounters, type Context, type Event } from '@keelson/core';
import { defined, differing } from '../change.ts';
import {
  changedFields,
  fieldTexts,
  newFields,
  type ChangedFields,
  type GivenFields,
} from '../custom-fields/custom-values.ts';
import { Opportunity, type OpportunityStatus } from './entities.ts';
import { OpportunityCreated, OpportunityLost, OpportunityStageChanged, OpportunityWon } from '../events.ts';
import { toOpportunityData } from '../present.ts';
import { checkReferences } from '../references.ts';
import { firstStanding, movedStanding, nextStanding, type Standing } from './stages.ts';
import { removeParts } from '../subject-parts.ts';
import { unlinkOpportunity } from '../unlink.ts';
import { removeWords, replaceWords, storeWords } from '../search/words.ts';

export interface NewOpportunity {
  readonly name: string;
  readonly prospect_id?: number | null | undefined;
  readonly contact_id?: number | null | undefined;
  readonly stage?: string | undefined;
  /** In minor units. */
  readonly value?: number | undefined;
  readonly expected_close_date?: string | null | undefined;
  readonly probability?: number | undefined;
  readonly assigned_to?: number | null | undefined;
  readonly custom_fields?: GivenFields | undefined;
}

export interface OpportunityUpdate extends Partial<NewOpportunity> {
  readonly status?: OpportunityStatus | undefined;
  readonly lost_reason?: string | null | undefined;
}

/** @throws notFound() when it is absent or deleted */
export function findOpportunity(ctx: Context, opportunity_id: number): Promise<Opportunity> {
  return read(ctx, opportunity_id, { lock: false });
}

/** The same for somebody who is about to change it. */
export function lockOpportunity(ctx: Context, opportunity_id: number): Promise<Opportunity> {
  return read(ctx, opportunity_id, { lock: true });
}

export async function createOpportunity(
  ctx: Context,
  { custom_fields, ...given }: NewOpportunity,
): Promise<Opportunity> {
  await checkReferences(ctx, given);
  return insertOpportunity(ctx, given, await newFields(ctx, 'opportunity', custom_fields));
}

/** Adds an opportunity whose references and fields were looked at. @throws invalid() for an unknown stage */
export async function insertOpportunity(
  ctx: Context,
  given: NewOpportunity & { readonly lead_id?: number },
  fields: ChangedFields,
): Promise<Opportunity> {
  const { name, value = 0 } = given;
  const standing = await firstStanding(ctx, given);
  const row = {
    name,
    prospect_id: given.prospect_id ?? null,
    contact_id: given.contact_id ?? null,
    lead_id: given.lead_id ?? null,
    ...standing,
    value_minor: value,
    expected_close_date: given.expected_close_date ?? null,
    assigned_to: given.assigned_to ?? null,
    lost_reason: null,
    closed_at: standing.status === 'open' ? null : ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const opportunity: Opportunity = { ...row, opportunity_id: await ctx.db.insert(Opportunity, row) };
  await fields.store(opportunity.opportunity_id);
  await storeWords(ctx, 'opportunity', opportunity.opportunity_id, wordingOf(opportunity, fields));
  updateCounters(ctx, Opportunity, undefined, opportunity);
  const data = toOpportunityData(opportunity);
  ctx.emit(OpportunityCreated, data);
  const closing = closingEvent(undefined, opportunity);
  if (closing) ctx.emit(closing, data);
  record(ctx, 'create', opportunity, 'created');
  return opportunity;
}

/** Changes an opportunity that was locked in the same transaction (C-15, C-16, M-23). */
export async function updateOpportunity(
  ctx: Context,
  before: Opportunity,
  { custom_fields, ...update }: OpportunityUpdate,
): Promise<Opportunity> {
  const { stage, status, probability, value, ...rest } = defined(update);
  const standing = await movedStanding(ctx, before, { stage, status, probability });
  const wanted = { ...rest, ...(value !== undefined && { value_minor: value }), ...(standing && pick(standing)) };
  return storeChange(
    ctx,
    before,
    wanted,
    await changedFields(ctx, 'opportunity', before.opportunity_id, custom_fields),
  );
}

/** Moves an open opportunity to the next stage; from the last one it is won (C-14). @throws conflict() when it is closed */
export async function advanceStage(ctx: Context, before: Opportunity): Promise<Opportunity> {
  const fields = await changedFields(ctx, 'opportunity', before.opportunity_id, undefined);
  return storeChange(ctx, before, pick(await nextStanding(ctx, before)), fields);
}

/** Deletes an opportunity with its activities and notes; links elsewhere become null (C-19). */
export async function deleteOpportunity(ctx: Context, opportunity: Opportunity): Promise<void> {
  const { opportunity_id } = opportunity;
  await ctx.db.update(Opportunity, { opportunity_id }, { deleted_at: ctx.now });
  await removeParts(ctx, 'opportunity', opportunity_id);
  await unlinkOpportunity(ctx, opportunity_id);
  await removeWords(ctx, 'opportunity', opportunity_id);
  updateCounters(ctx, Opportunity, opportunity, undefined);
  record(ctx, 'delete', opportunity, 'deleted');
}

async function storeChange(
  ctx: Context,
  before: Opportunity,
  wanted: Partial<Opportunity>,
  fields: ChangedFields,
): Promise<Opportunity> {
  const set = differing(before, { ...wanted, ...consequences(ctx, before, wanted) });
  if (Object.keys(set).length === 0 && !fields.differs) return before;
  await checkReferences(ctx, set);
  const { opportunity_id } = before;
  const stored = { ...set, updated_at: ctx.now };
  const after = { ...before, ...stored };
  await ctx.db.update(Opportunity, { opportunity_id }, stored);
  await fields.store(opportunity_id);
  if (set.name !== undefined || fields.differs)
    await replaceWords(ctx, 'opportunity', opportunity_id, wordingOf(after, fields));
  updateCounters(ctx, Opportunity, before, after);
  announce(ctx, before, after);
  ctx.record({
    action: 'update',
    entity_type: 'opportunity',
    entity_id: opportunity_id,
    description: `Opportunity ${after.name} updated`,
    changes: { ...changesBetween(before, { ...set }), ...(fields.differs && { custom_fields: [null, fields.after] }) },
  });
  return after;
}

/** When it was closed, and why it was lost, follow from the status. */
function consequences(ctx: Context, before: Opportunity, wanted: Partial<Opportunity>): Partial<Opportunity> {
  const status = wanted.status ?? before.status;
  const closed_at = status === 'open' ? null : before.status === status ? before.closed_at : ctx.now;
  return { closed_at, ...(status !== 'lost' && { lost_reason: null }) };
}

/** A won or lost opportunity changed its stage, too (C-14, C-15). */
function announce(ctx: Context, before: Opportunity, after: Opportunity): void {
  const data = toOpportunityData(after);
  if (after.stage !== before.stage) ctx.emit(OpportunityStageChanged, { ...data, previous_stage: before.stage });
  const closing = closingEvent(before, after);
  if (closing) ctx.emit(closing, data);
}

type OpportunityData = ReturnType<typeof toOpportunityData>;

function closingEvent(before: Opportunity | undefined, { status }: Opportunity): Event<OpportunityData> | undefined {
  if (status === 'open' || status === before?.status) return undefined;
  return status === 'won' ? OpportunityWon : OpportunityLost;
}

function pick({ stage, open_stage, status, probability }: Standing): Standing {
  return { stage, open_stage, status, probability };
}

function wordingOf({ name }: Opportunity, fields: ChangedFields) {
  return { main: [name], more: fieldTexts(fields.after) };
}

async function read(ctx: Context, opportunity_id: number, options: { lock: boolean }): Promise<Opportunity> {
  const opportunity = await ctx.db.one(Opportunity, { opportunity_id, deleted_at: null }, options);
  if (!opportunity) throw notFound('Opportunity');
  return opportunity;
}

function record(ctx: Context, action: 'create' | 'delete', opportunity: Opportunity, what: string): void {
  const description = `Opportunity ${opportunity.name} ${what}`;
  ctx.record({ action, entity_type: 'opportunity', entity_id: opportunity.opportunity_id, description });
}
