// Values of custom fields: judged when they are written (C-23), read for many records at once.
import {
  dictionary,
  dictionaryOf,
  invalid,
  input,
  listed,
  parse,
  sql,
  z,
  type Context,
  type Dictionary,
} from '@keelson/core';
import { CustomField, CustomFieldValue, FieldValue } from './entities.ts';
import type { EntityType } from '../entity-types.ts';
import { searchText, valueShape } from './field-types.ts';

/** By field key, in the order of the definitions. */
export type CustomFields = Dictionary<FieldValue>;
/** As a body has them: null clears. */
export type GivenFields = object;

/** Of a record without any. */
export const noFields: CustomFields = Object.freeze(dictionary<FieldValue>([]));

export interface ChangedFields {
  /** What the record has afterwards. */
  readonly after: CustomFields;
  readonly differs: boolean;
  /** Stores what changed, once the record has its id. */
  store(entity_id: number): Promise<void>;
}

/** The values of a new record, with defaults. @throws invalid() naming what is wrong, unknown or missing */
export async function newFields(ctx: Context, type: EntityType, given: GivenFields = {}): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  const values = withDefaults(fields, judge(fields, given));
  requireValues(fields.filter((each) => (values[each.field_key] ?? null) === null));
  return planned(ctx, fields, noFields, values);
}

/** The values of a record that something else is made into: defaults only, nothing is missed. */
export async function defaultFields(ctx: Context, type: EntityType): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  return planned(ctx, fields, noFields, withDefaults(fields, noFields));
}

/** What a change does to a record's values; absent ones stay. @throws invalid() as `newFields` does */
export async function changedFields(
  ctx: Context,
  type: EntityType,
  entity_id: number,
  given: GivenFields | undefined,
): Promise<ChangedFields> {
  const fields = await readDefinitions(ctx, type);
  const before = (await readFields(ctx, type, [entity_id])).get(entity_id) ?? noFields;
  const values = judge(fields, given ?? {});
  requireValues(fields.filter((each) => values[each.field_key] === null));
  return planned(ctx, fields, before, dictionary([...Object.entries(before), ...Object.entries(values)]));
}

/** The values of many records in one statement. */
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
    const of = found.get(Number(entity_id)) ?? [];
    of.push([field_key, FieldValue.parse(JSON.parse(value))]);
    found.set(Number(entity_id), of);
  }
  return new Map([...found].map(([id, values]) => [id, dictionary(values)]));
}

/** The texts by which values are searched. */
export function fieldTexts(fields: CustomFields): string[] {
  return Object.values(fields).map(searchText);
}

type Values = Dictionary<FieldValue | null>;

function readDefinitions(ctx: Context, type: EntityType): Promise<CustomField[]> {
  const order = [
    ['sort_order', 'ASC'],
    ['field_id', 'ASC'],
  ] as const;
  return ctx.db.find(CustomField, { entity_type: type, deleted_at: null }, { order });
}

function judge(fields: readonly CustomField[], given: GivenFields): Values {
  const named = Object.keys(given);
  if (named.length === 0) return noFields;
  const known = new Set(fields.map((each) => each.field_key));
  if (named.some((each) => !known.has(each))) {
    throw invalid(`custom_fields may only name: ${[...known].join(', ') || 'nothing, no field is defined'}`);
  }
  const asked = fields.filter((each) => named.includes(each.field_key));
  const shape = z.object(dictionary(asked.map((each) => [each.field_key, input.clearable(valueShape(each))])));
  const { custom_fields } = parse(z.object({ custom_fields: shape }), { custom_fields: dictionaryOf(given) });
  return dictionary(
    Object.entries(custom_fields).flatMap(([name, value]): [string, FieldValue | null][] =>
      value === undefined ? [] : [[name, FieldValue.nullable().parse(value)]],
    ),
  );
}

function withDefaults(fields: readonly CustomField[], values: Values): Values {
  return dictionary(fields.map((each) => [each.field_key, values[each.field_key] ?? each.default_value]));
}

function requireValues(empty: readonly CustomField[]): void {
  const missing = empty.filter((each) => each.required).map((each) => `custom_fields.${each.field_key} is required`);
  if (missing.length > 0) throw invalid(missing.join('; '));
}

function planned(ctx: Context, fields: readonly CustomField[], before: CustomFields, wanted: Values): ChangedFields {
  const after = dictionary(
    fields.flatMap(({ field_key }): [string, FieldValue][] => {
      const value = wanted[field_key] ?? null;
      return value === null ? [] : [[field_key, value]];
    }),
  );
  const changed = fields.filter(
    ({ field_key }) => JSON.stringify(before[field_key]) !== JSON.stringify(after[field_key]),
  );
  return {
    after,
    differs: changed.length > 0,
    async store(entity_id) {
      const gone = changed.filter((each) => before[each.field_key] !== undefined).map((each) => each.field_id);
      if (gone.length > 0) await ctx.db.remove(CustomFieldValue, { field_id: gone, entity_id });
      const rows = changed.flatMap(({ field_id, field_key }) => {
        const value = after[field_key];
        return value === undefined ? [] : [{ field_id, entity_id, value }];
      });
      await ctx.db.insertMany(CustomFieldValue, rows);
    },
  };
}
