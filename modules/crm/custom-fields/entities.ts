import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { entityTypes } from '../entity-types.ts';

export const fieldTypes = [
  'text',
  'textarea',
  'number',
  'date',
  'boolean',
  'select',
  'multiselect',
  'email',
  'url',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** A custom field's value; the field's type determines which of these. */
export const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type FieldValue = z.infer<typeof FieldValue>;

export const CustomField = table(
  'custom_field',
  {
    field_id: id(),
    entity_type: choice(...entityTypes),
    field_key: text(64),
    /** The key until the definition is deleted, after which another definition may use it (V-25, V-28). */
    live_key: key(64).nullable().hidden(),
    label: text(255),
    field_type: choice(...fieldTypes),
    options: json(z.array(z.string())),
    required: flag().default(false),
    default_value: json(FieldValue).nullable(),
    sort_order: int().default(0),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [],
  { unique: [['entity_type', 'live_key']] },
);
export type CustomField = Row<typeof CustomField>;

/**
 * Values are stored separately from the records and read by definition: without a definition, no response shows them
 * (C-24).
 */
export const CustomFieldValue = table('custom_field_value', {
  field_id: ref(CustomField).primary(),
  entity_id: int().primary(),
  value: json(FieldValue),
});
