// Prospect accounts: companies that may become customers.
import {
  changesBetween,
  conflict,
  DuplicateKey,
  duplicate,
  invalid,
  normalised,
  notFound,
  updateCounters,
  type Context,
} from '@keelson/core';
import { defined, differing } from '../change.ts';
import {
  changedFields,
  fieldTexts,
  newFields,
  type ChangedFields,
  type CustomFields,
  type GivenFields,
} from '../custom-fields/custom-values.ts';
import { Prospect, type ProspectStatus } from './entities.ts';
import { ProspectCreated } from '../events.ts';
import { ProspectNames } from './names.ts';
import { checkReferences } from '../references.ts';
import { removeParts } from '../subject-parts.ts';
import { unlinkProspect } from '../unlink.ts';
import { digitsOf, removeWords, replaceWords, storeWords, transactionOf } from '../search/words.ts';

export interface ProspectFields {
  readonly name?: string | undefined;
  readonly industry?: string | undefined;
  readonly website?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly country?: string | undefined;
  readonly status?: ProspectStatus | undefined;
  readonly assigned_to?: number | null | undefined;
}
export type GivenProspect = ProspectFields & {
  /** Two other words for its name (F-77). */
  readonly account_name?: string | undefined;
  readonly company_name?: string | undefined;
  readonly custom_fields?: GivenFields | undefined;
};
export type ShownProspect = Prospect & { readonly custom_fields: CustomFields };

/** @throws notFound() when it is absent or deleted */
export function findProspect(ctx: Context, prospect_id: number): Promise<Prospect> {
  return read(ctx, prospect_id, { lock: false });
}

/** The same for somebody who is about to change it. */
export function lockProspect(ctx: Context, prospect_id: number): Promise<Prospect> {
  return read(ctx, prospect_id, { lock: true });
}

export async function createProspect(ctx: Context, given: GivenProspect): Promise<ShownProspect> {
  const { custom_fields, account_name, company_name, ...rest } = given;
  const name = rest.name ?? account_name ?? company_name;
  if (name === undefined) throw invalid('name is required');
  checkMove(undefined, rest.status);
  await checkReferences(ctx, rest);
  return insertProspect(ctx, { ...rest, name }, await newFields(ctx, 'prospect', custom_fields));
}

/** Adds a prospect whose references and fields were looked at. @throws duplicate() when the name is taken (V-28) */
export async function insertProspect(
  ctx: Context,
  given: ProspectFields & { readonly name: string },
  fields: ChangedFields,
): Promise<ShownProspect> {
  const tx = transactionOf(ctx);
  const row = {
    industry: '',
    website: '',
    phone: '',
    email: '',
    address: '',
    city: '',
    state: '',
    zip: '',
    country: '',
    status: 'active' as const,
    assigned_to: null,
    ...defined(given),
    name: given.name,
    name_key: normalised(given.name),
    company_number: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const prospect: Prospect = { ...row, prospect_id: await tx.insert(Prospect, row).catch(taken) };
  const { prospect_id, name, status } = prospect;
  await fields.store(prospect_id);
  await storeWords(ctx, 'prospect', prospect_id, wordingOf(prospect, fields.after));
  updateCounters(ctx, Prospect, undefined, prospect);
  ctx.emit(ProspectCreated, { prospect_id, name, status });
  record(ctx, 'create', prospect, 'created');
  return { ...prospect, custom_fields: fields.after };
}

/** Changes a prospect that was locked in the same transaction (M-24). A change of nothing changes nothing (V-16). */
export async function updateProspect(ctx: Context, prospect: Prospect, given: GivenProspect): Promise<ShownProspect> {
  const { prospect_id } = prospect;
  const { custom_fields, account_name, company_name, ...rest } = given;
  const name = rest.name ?? account_name ?? company_name;
  checkMove(prospect.status, rest.status);
  const set = differing(prospect, defined({ ...rest, name }));
  const fields = await changedFields(ctx, 'prospect', prospect_id, custom_fields);
  if (Object.keys(set).length === 0 && !fields.differs) return { ...prospect, custom_fields: fields.after };
  await checkReferences(ctx, set);
  const stored = { ...set, name_key: normalised(set.name ?? prospect.name), updated_at: ctx.now };
  const after = { ...prospect, ...stored };
  await ctx.db.update(Prospect, { prospect_id }, stored).catch(taken);
  await fields.store(prospect_id);
  await replaceWords(ctx, 'prospect', prospect_id, wordingOf(after, fields.after));
  updateCounters(ctx, Prospect, prospect, after);
  if (set.name !== undefined) await ctx.app.names.changed(transactionOf(ctx), ProspectNames, prospect_id);
  ctx.record({
    action: 'update',
    entity_type: 'prospect',
    entity_id: prospect_id,
    description: `Prospect ${after.name} updated`,
    changes: {
      ...changesBetween(prospect, { ...set }),
      ...(fields.differs && { custom_fields: [null, fields.after] }),
    },
  });
  return { ...after, custom_fields: fields.after };
}

/** Deletes a prospect with its activities and notes; links elsewhere become null (C-19). */
export async function deleteProspect(ctx: Context, prospect: Prospect): Promise<void> {
  const { prospect_id } = prospect;
  await ctx.db.update(Prospect, { prospect_id }, { name_key: null, deleted_at: ctx.now });
  await removeParts(ctx, 'prospect', prospect_id);
  await unlinkProspect(ctx, prospect_id);
  await removeWords(ctx, 'prospect', prospect_id);
  updateCounters(ctx, Prospect, prospect, undefined);
  record(ctx, 'delete', prospect, 'deleted');
}

function wordingOf(prospect: Prospect, fields: CustomFields) {
  const { name, email, phone, website, industry, address, city, state, zip, country } = prospect;
  return {
    main: [name],
    more: [email, phone, digitsOf(phone), website, industry, address, city, state, zip, country, ...fieldTexts(fields)],
  };
}

async function read(ctx: Context, prospect_id: number, options: { lock: boolean }): Promise<Prospect> {
  const prospect = await ctx.db.one(Prospect, { prospect_id, deleted_at: null }, options);
  if (!prospect) throw notFound('Prospect');
  return prospect;
}

function checkMove(before: ProspectStatus | undefined, status: ProspectStatus | undefined): void {
  if (status === undefined || status === before) return;
  if (before === 'converted') throw conflict('status of a converted prospect cannot be changed');
  if (status === 'converted') throw invalid('status becomes converted by POST /prospects/{id}/convert: use convert');
}

function taken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A prospect with this name already exists');
  throw error;
}

function record(ctx: Context, action: 'create' | 'delete', prospect: Prospect, what: string): void {
  const description = `Prospect ${prospect.name} ${what}`;
  ctx.record({ action, entity_type: 'prospect', entity_id: prospect.prospect_id, description });
}
