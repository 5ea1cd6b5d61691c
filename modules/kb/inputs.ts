// The fields of bodies that create and change articles.
import { input, z } from '@keelson/core';
import { visibilities } from './entities.ts';
import { relatedField } from './related.ts';

const tags = z.array(input.text(64)).max(50);

/** What both surfaces take. */
export const articleFields = {
  title: input.text(255),
  content: input.longText(),
  tags: input.optional(tags),
  related: relatedField,
};
/** What only technicians decide. */
export const staffFields = {
  category_id: input.clearable(input.id()),
  company_number: input.clearable(input.id()),
};
export const visibilityField = input.choice(visibilities);
/** On the helpdesk surface a category is named (K-06). */
export const categoryField = input.clearable(input.text(255));
