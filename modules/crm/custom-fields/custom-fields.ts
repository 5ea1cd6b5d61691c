// Definitions of custom fields (F-82, C-23 to C-25).
import {
  changesBetween,
  DuplicateKey,
  duplicate,
  forbidden,
  invalid,
  isForbiddenName,
  notFound,
  parse,
  z,
  type Context,
  type CrmKey,
} from '@keelson/core';
import { differing } from '../change.ts';
import { CustomField, FieldValue, type FieldType } from './entities.ts';
import { entityTypes, type EntityType } from '../entity-types.ts';
import { valueShape } from './field-types.ts';
import { readerOf, writerOf } from '../permissions.ts';

export interface NewCustomField {
  readonly entity_type: EntityType;
  readonly label: string;
  readonly field_key?: string | undefined;
  readonly field_type: FieldType;
  readonly options?: readonly string[] | undefined;
  readonly required?: boolean | undefined;
  readonly default_value?: unknown;
  readonly sort_order?: number | undefined;
}

export type CustomFieldUpdate = { readonly [K in keyof NewCustomField]?: NewCustomField[K] | undefined };

/** All definitions the key may read; of one type, when that is asked for. @throws forbidden() when it may not read that */
export async function listCustomFields(ctx: Context<CrmKey>, type: EntityType | undefined): Promise<CustomField[]> {
  const readable = entityTypes.filter((each) => readerOf[each].allows(ctx.actor));
  if (type && !readable.includes(type)) throw forbidden();
  const fields = await ctx.db.find(CustomField, { entity_type: type ?? readable, deleted_at: null });
  const place = (each: CustomField) => entityTypes.indexOf(each.entity_type);
  return fields.toSorted((a, b) => place(a) - place(b) || a.sort_order - b.sort_order || a.field_id - b.field_id);
}

/** A definition the key is about to change. @throws notFound(); forbidden() when it may not write records of that type */
export async function lockCustomField(ctx: Context<CrmKey>, field_id: number): Promise<CustomField> {
  const field = await ctx.db.one(CustomField, { field_id, deleted_at: null }, { lock: true });
  if (!field) throw notFound('Custom field');
  requireWriter(ctx, field.entity_type);
  return field;
}

export async function createCustomField(ctx: Context<CrmKey>, given: NewCustomField): Promise<CustomField> {
  requireWriter(ctx, given.entity_type);
  const field_key = given.field_key ?? keyFrom(given.label);
  const options = [...new Set(given.options)];
  const row = {
    entity_type: given.entity_type,
    field_key,
    live_key: field_key,
    label: given.label,
    field_type: given.field_type,
    options,
    required: given.required ?? false,
    default_value: judgedDefault({ ...given, options }),
    sort_order: given.sort_order ?? 0,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const field_id = await ctx.db.insert(CustomField, row).catch(taken);
  ctx.record({
    action: 'create',
    entity_type: 'custom_field',
    entity_id: field_id,
    description: `Custom field ${row.label} created`,
  });
  return { ...row, field_id };
}

/** Changes a definition; its type and what it belongs to stay (C-25). */
export async function updateCustomField(
  ctx: Context,
  field: CustomField,
  update: CustomFieldUpdate,
): Promise<CustomField> {
  if ((update.entity_type ?? field.entity_type) !== field.entity_type) throw invalid('entity_type cannot be changed');
  if ((update.field_type ?? field.field_type) !== field.field_type) throw invalid('field_type cannot be changed');
  const options = update.options ? [...new Set(update.options)] : field.options;
  const default_value = 'default_value' in update ? update.default_value : field.default_value;
  const wanted = {
    field_key: update.field_key ?? field.field_key,
    label: update.label ?? field.label,
    options,
    required: update.required ?? field.required,
    default_value: judgedDefault({ field_type: field.field_type, options, default_value }),
    sort_order: update.sort_order ?? field.sort_order,
  };
  const set = differing(field, wanted);
  if (Object.keys(set).length === 0) return field;
  const stored = { ...set, live_key: wanted.field_key, updated_at: ctx.now };
  await ctx.db.update(CustomField, { field_id: field.field_id }, stored).catch(taken);
  ctx.record({
    action: 'update',
    entity_type: 'custom_field',
    entity_id: field.field_id,
    description: `Custom field ${field.label} updated`,
    changes: changesBetween(field, { ...set }),
  });
  return { ...field, ...stored };
}

/** Removes a definition; nothing shows its values any more (C-24). */
export async function deleteCustomField(ctx: Context, { field_id, label }: CustomField): Promise<void> {
  await ctx.db.update(CustomField, { field_id }, { live_key: null, deleted_at: ctx.now });
  ctx.record({
    action: 'delete',
    entity_type: 'custom_field',
    entity_id: field_id,
    description: `Custom field ${label} deleted`,
  });
}

function requireWriter(ctx: Context<CrmKey>, type: EntityType): void {
  if (!writerOf[type].allows(ctx.actor)) throw forbidden();
}

function taken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('field_key already exists for this entity_type');
  throw error;
}

/** `Company size (EU)` → `company_size_eu`; `Constructor` → `constructor_`, which bodies may name. @throws invalid() when nothing of it is left */
function keyFrom(label: string): string {
  const plain = label.normalize('NFKD').toLowerCase();
  const key = plain
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  if (key === '') throw invalid('field_key is required');
  return isForbiddenName(key) ? `${key}_` : key;
}

interface Judged {
  readonly field_type: FieldType;
  readonly options: readonly string[];
  readonly default_value?: unknown;
}

/** @throws invalid() when a choice has nothing to choose from, or the default is not one of the field's values */
function judgedDefault({ field_type, options, default_value = null }: Judged): FieldValue | null {
  const chooses = field_type === 'select' || field_type === 'multiselect';
  if (chooses && options.length === 0) throw invalid(`options is required for a ${field_type} field`);
  if (default_value === null || default_value === '') return null;
  const shape = z.object({ default_value: valueShape({ field_type, options: [...options] }) });
  return FieldValue.parse(parse(shape, { default_value }).default_value);
}
