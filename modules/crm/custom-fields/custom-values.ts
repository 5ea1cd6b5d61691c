// Values of custom fields: validated against their definitions (C-23), read for many records at once.
import { invalid, input, listed, sql, z, IsNull, In, type Context } from '@keelson/core';
import { dictionary, dictionaryOf, type Dictionary, parse } from '@keelson/core/kit';
import type { EntityType } from '../entity-types.ts';
import { CustomField, CustomFieldValue, FieldValue } from './entities.ts';
import { searchText, valueShape } from './field-types.ts';

/** By field key, in the order of the definitions. */
export type CustomFields = Dictionary<FieldValue>;
/** Values as in a request body; null clears one. */
export type GivenFields = object;

export const CustomValues = z.record(z.string(), FieldValue);

export const noFields: CustomFields = Object.freeze(dictionary<FieldValue>([]));

export interface ChangedFields {
  /** All values of the record after the change. */
  readonly after: CustomFields;
  readonly differs: boolean;
  /** As shown in the activity log. */
  readonly changes: { readonly custom_fields?: readonly [before: null, after: CustomFields] };
  /** Stores the values. Call it once the record is stored and has its id. */
  store(entity_id: number): Promise<void>;
}

/**
 * Returns the values of a new record, with defaults.
 * @throws invalid() naming fields that are invalid, unknown or missing
 */
export async function newFields(ctx: Context, type: EntityType, given: GivenFields = {}): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  const values = withDefaults(fields, validate(fields, given));
  requireValues(fields.filter((each) => (values[each.field_key] ?? null) === null));
  return plan(ctx, fields, noFields, values);
}

/** Returns the default values for a record created by a conversion. Required fields without a default stay empty. */
export async function defaultFields(ctx: Context, type: EntityType): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  return plan(ctx, fields, noFields, withDefaults(fields, noFields));
}

/** Returns the values of a record after a change; omitted ones stay. @throws invalid() as `newFields` does */
export async function changedFields(
  ctx: Context,
  type: EntityType,
  entity_id: number,
  given: GivenFields | undefined,
): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  const before = (await readFields(ctx, type, [entity_id])).get(entity_id) ?? noFields;
  const values = validate(fields, withoutUnchanged(given ?? {}, before));
  requireValues(fields.filter((each) => values[each.field_key] === null));
  return plan(ctx, fields, before, dictionary([...Object.entries(before), ...Object.entries(values)]));
}

/** Reads the values of many records in one statement. */
export async function readFields(
  ctx: Context,
  type: EntityType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CustomFields>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.query<{ entity_id: number; field_key: string; value: string }>(sql`
    SELECT custom_field_value.entity_id, custom_field.field_key, custom_field_value.value FROM custom_field
    JOIN custom_field_value ON custom_field_value.field_id = custom_field.field_id
      AND custom_field_value.entity_id IN ${listed(ids)}
    WHERE custom_field.entity_type = ${type} AND custom_field.deleted_at IS NULL
    ORDER BY custom_field.sort_order, custom_field.field_id`);
  const found = new Map<number, [string, FieldValue][]>();
  for (const { entity_id, field_key, value } of rows) {
    const values = found.get(Number(entity_id)) ?? [];
    values.push([field_key, FieldValue.parse(JSON.parse(value))]);
    found.set(Number(entity_id), values);
  }
  return new Map([...found].map(([id, values]) => [id, dictionary(values)]));
}

/** Returns the lookup of custom fields for a view's `its.lookup`. */
export function readFieldsOf(type: EntityType) {
  return (ctx: Context, ids: readonly number[]) => readFields(ctx, type, ids);
}

/** Returns the search texts of the values. */
export function fieldTexts(fields: CustomFields): string[] {
  return Object.values(fields).map(searchText);
}

type Values = Dictionary<FieldValue | null>;

function readDefinitions(ctx: Context, type: EntityType): Promise<CustomField[]> {
  const order = { sort_order: 'ASC', field_id: 'ASC' } as const;
  return ctx.db.find(CustomField, { where: { entity_type: type, deleted_at: IsNull() }, order });
}

function validate(fields: readonly CustomField[], given: GivenFields): Values {
  const keys = Object.keys(given);
  if (keys.length === 0) return noFields;
  const known = new Set(fields.map((each) => each.field_key));
  if (keys.some((each) => !known.has(each))) {
    throw invalid(
      `custom_fields may only contain: ${[...known].join(', ') || 'nothing, because no fields are defined'}`,
    );
  }
  const definitions = fields.filter((each) => keys.includes(each.field_key));
  const shape = z.object(dictionary(definitions.map((each) => [each.field_key, input.clearable(valueShape(each))])));
  const { custom_fields } = parse(z.object({ custom_fields: shape }), { custom_fields: dictionaryOf(given) });
  return dictionary(
    Object.entries(custom_fields).flatMap(([name, value]): [string, FieldValue | null][] =>
      value === undefined ? [] : [[name, FieldValue.nullable().parse(value)]],
    ),
  );
}

/** Leaves out values that are sent back as they are stored, also those that their definition no longer allows. */
function withoutUnchanged(given: GivenFields, before: CustomFields): GivenFields {
  return dictionary(
    Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

function withDefaults(fields: readonly CustomField[], values: Values): Values {
  return dictionary(fields.map((each) => [each.field_key, values[each.field_key] ?? each.default_value]));
}

function requireValues(empty: readonly CustomField[]): void {
  const missing = empty.filter((each) => each.required).map((each) => `custom_fields.${each.field_key} is required`);
  if (missing.length > 0) throw invalid(missing.join('; '));
}

function plan(ctx: Context, fields: readonly CustomField[], before: CustomFields, wanted: Values): ChangedFields {
  const after = dictionary(
    fields.flatMap(({ field_key }): [string, FieldValue][] => {
      const value = wanted[field_key] ?? null;
      return value === null ? [] : [[field_key, value]];
    }),
  );
  const changed = fields.filter(
    ({ field_key }) => JSON.stringify(before[field_key]) !== JSON.stringify(after[field_key]),
  );
  const differs = changed.length > 0;
  return {
    after,
    differs,
    changes: differs ? { custom_fields: [null, after] } : {},
    async store(entity_id) {
      const replaced = changed.filter((each) => before[each.field_key] !== undefined).map((each) => each.field_id);
      if (replaced.length > 0) await ctx.db.delete(CustomFieldValue, { field_id: In(replaced), entity_id });
      const rows = changed.flatMap(({ field_id, field_key }) => {
        const value = after[field_key];
        return value === undefined ? [] : [{ field_id, entity_id, value }];
      });
      await ctx.db.insert(CustomFieldValue, rows);
    },
  };
}
