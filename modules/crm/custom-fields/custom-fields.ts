// Definitions of custom fields (F-82, C-23 to C-25).
import {
  change,
  create,
  forbidden,
  In,
  invalid,
  IsNull,
  lock,
  record,
  view,
  z,
  type Context,
  type CrmCaller,
  type Given,
  type Wanted,
} from '@keelson/core';
import { isForbiddenName, parse, wordsIn } from '@keelson/core/kit';
import { entityTypes, type EntityType } from '../entity-types.ts';
import { readerOf, writerOf } from '../permissions.ts';
import { CustomField, FieldValue, type FieldType } from './entities.ts';
import { valueShape } from './field-types.ts';

export const CustomFields = record(CustomField, {
  title: 'Custom field',
  call: ({ label }) => label,
  taken: () => 'field_key already exists for this entity_type',
  derive: ({ field_key }) => ({ live_key: field_key }),
  prepare(_ctx, after, before) {
    // Stored values would no longer fit (C-25).
    if (before && after.entity_type !== before.entity_type) throw invalid('entity_type cannot be changed');
    if (before && after.field_type !== before.field_type) throw invalid('field_type cannot be changed');
  },
});

export const CustomFieldView = view(CustomFields);

type Columns = Given<typeof CustomFields>;
/** Without `field_key`, the key is derived from the label. `default_value` must have the field's type. */
export type NewCustomField = Omit<Columns, 'field_key' | 'options' | 'default_value'> & {
  readonly field_key?: string | undefined;
  readonly options?: readonly string[] | undefined;
  readonly default_value?: unknown;
};
export type CustomFieldUpdate = Omit<Wanted<typeof CustomFields>, 'options' | 'default_value'> &
  Pick<NewCustomField, 'options' | 'default_value'>;

/**
 * Lists the definitions the caller may read, optionally of one type.
 * @throws forbidden() when the caller may not read that type
 */
export async function listCustomFields(ctx: Context<CrmCaller>, type: EntityType | undefined): Promise<CustomField[]> {
  const readable = entityTypes.filter((each) => readerOf[each].allows(ctx.actor));
  if (type && !readable.includes(type)) throw forbidden();
  const fields = await ctx.db.findBy(CustomField, { entity_type: type ?? In(readable), deleted_at: IsNull() });
  const place = (each: CustomField) => entityTypes.indexOf(each.entity_type);
  return fields.toSorted((a, b) => place(a) - place(b) || a.sort_order - b.sort_order || a.field_id - b.field_id);
}

/**
 * Locks a definition for a change.
 * @throws notFound(); forbidden() when the caller may not write records of that type
 */
export async function lockCustomField(ctx: Context<CrmCaller>, field_id: number): Promise<CustomField> {
  const field = await lock(ctx, CustomFields, field_id);
  requireWriter(ctx, field.entity_type);
  return field;
}

export async function createCustomField(ctx: Context<CrmCaller>, given: NewCustomField): Promise<CustomField> {
  requireWriter(ctx, given.entity_type);
  const field_key = given.field_key ?? keyFrom(given.label);
  const options = [...new Set(given.options)];
  const default_value = validDefault(given.field_type, options, given.default_value);
  return create(ctx, CustomFields, { ...given, field_key, options, default_value });
}

/** Changes a definition that was locked in the same transaction. */
export async function updateCustomField(
  ctx: Context,
  field: CustomField,
  update: CustomFieldUpdate,
): Promise<CustomField> {
  const options = update.options ? [...new Set(update.options)] : field.options;
  const given = 'default_value' in update ? update.default_value : field.default_value;
  const default_value = validDefault(field.field_type, options, given);
  return change(ctx, CustomFields, field, { ...update, options, default_value });
}

function requireWriter(ctx: Context<CrmCaller>, type: EntityType): void {
  if (!writerOf[type].allows(ctx.actor)) throw forbidden();
}

/**
 * Derives a key: `Company size (EU)` → `company_size_eu`; `Größe` → `grosse`; `Constructor` → `constructor_`, which is
 * safe as a body field.
 * @throws invalid() when nothing is left
 */
function keyFrom(label: string): string {
  const key = wordsIn(label, { longest: 64 })
    .join('_')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 64)
    .replaceAll(/^_+|_+$/g, '');
  if (key === '') throw invalid('field_key is required');
  return isForbiddenName(key) ? `${key}_` : key;
}

/**
 * Returns the validated default.
 * @throws invalid() when a choice has no options, or the default is not a value of the field
 */
function validDefault(
  field_type: FieldType,
  options: readonly string[],
  default_value: unknown = null,
): FieldValue | null {
  const chooses = field_type === 'select' || field_type === 'multiselect';
  if (chooses && options.length === 0) throw invalid(`options is required for a ${field_type} field`);
  if (default_value === null || default_value === '') return null;
  const shape = z.object({ default_value: valueShape({ field_type, options: [...options] }) });
  return FieldValue.parse(parse(shape, { default_value }).default_value);
}
