import { all, created, crm, input, item, nothing, param, remove, show, showOne, z } from '@keelson/core';
import { isForbiddenName } from '@keelson/core/kit';
import {
  createCustomField,
  CustomFields,
  CustomFieldView,
  listCustomFields,
  lockCustomField,
  updateCustomField,
} from '../../custom-fields/custom-fields.ts';
import { fieldTypes, FieldValue } from '../../custom-fields/entities.ts';
import { entityTypes } from '../../entity-types.ts';
import { readSomeArea, writeSomeArea } from '../../permissions.ts';

const fields = {
  entity_type: input.choice(entityTypes),
  field_key: input
    .text(64)
    .refine((key) => /^[a-z0-9_]+$/.test(key), 'must contain only a-z, 0-9 and _')
    .refine((key) => !isForbiddenName(key), 'must not be constructor, prototype or __proto__'),
  label: input.text(255),
  field_type: input.choice(fieldTypes),
  options: z.array(input.text(255)).max(200),
  required: input.flag(),
  default_value: FieldValue.nullable(),
  sort_order: input.int(0, 1_000_000),
};

export default [
  crm.get('/custom-fields', {
    title: 'List custom fields',
    access: readSomeArea,
    query: z.object({ entity_type: param.choice(entityTypes) }),
    returns: all(CustomFieldView),
    handle: async (ctx, { query }) => show(ctx, CustomFieldView, await listCustomFields(ctx, query.entity_type)),
  }),
  crm.post('/custom-fields', {
    title: 'Define a custom field',
    access: writeSomeArea,
    body: z.object({
      ...fields,
      field_key: input.optional(fields.field_key),
      options: input.optional(fields.options),
      required: input.optional(fields.required),
      default_value: fields.default_value.optional(),
      sort_order: input.optional(fields.sort_order),
    }),
    returns: created(CustomFieldView),
    handle: (ctx, { body }) => showOne(ctx, CustomFieldView, createCustomField(ctx, body)),
  }),
  crm.put('/custom-fields/{id}', {
    title: 'Update a custom field',
    access: writeSomeArea,
    body: input.changes(fields),
    returns: item(CustomFieldView),
    load: (ctx, { id }) => lockCustomField(ctx, id),
    handle: (ctx, { item: field, body }) => showOne(ctx, CustomFieldView, updateCustomField(ctx, field, body)),
  }),
  crm.delete('/custom-fields/{id}', {
    title: 'Remove a custom field',
    access: writeSomeArea,
    returns: nothing('field_id'),
    load: (ctx, { id }) => lockCustomField(ctx, id),
    handle: (ctx, { item: field }) => remove(ctx, CustomFields, field),
  }),
];
