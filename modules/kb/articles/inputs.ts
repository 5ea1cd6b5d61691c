// Request fields for creating and changing articles.
import { input, z } from '@keelson/core';
import { visibilities } from '../entities.ts';
import { relatedField } from './related.ts';

const tags = z.array(input.text(64)).max(50);

/** Fields on both surfaces. */
export const articleFields = {
  title: input.text(255),
  content: input.longText(),
  tags: input.optional(tags),
  related: relatedField,
};
/** Fields for technicians only. */
export const staffFields = {
  category_id: input.clearable(input.id()),
  company_number: input.clearable(input.id()),
};
export const visibilityField = input.choice(visibilities);
/** The helpdesk surface identifies a category by name (K-06). */
export const categoryField = input.clearable(input.text(255));
