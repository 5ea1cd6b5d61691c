// The values each type of custom field accepts (F-82).
import { input, z } from '@keelson/core';
import type { CustomField, FieldType } from './entities.ts';

type Definition = Pick<CustomField, 'field_type' | 'options'>;

/** Returns the schema of one value. */
export function valueShape({ field_type, options }: Definition): z.ZodType {
  return shapes[field_type](options);
}

/** Returns the search text of a value; dates and numbers are indexed as written. */
export function searchText(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const oneOf = (options: readonly string[]) => {
  const [first, ...rest] = options;
  return first === undefined ? z.never() : input.choice([first, ...rest]);
};

const shapes: Readonly<Record<FieldType, (options: readonly string[]) => z.ZodType>> = Object.freeze({
  text: () => input.text(255),
  textarea: () => input.longText(),
  number: () => z.number(),
  date: () => input.day(),
  boolean: () => input.flag(),
  select: oneOf,
  multiselect: (options) =>
    z
      .array(oneOf(options))
      .max(100)
      .transform((chosen) => [...new Set(chosen)]),
  email: () => input.email(),
  url: () => input.url(),
});
