// Fields shared by several CRM request bodies.
import { input, z } from '@keelson/core';
import { activityTypes } from '../../activities/entities.ts';

/** A technician, or null for none. */
export const assignee = () => input.clearable(input.id());

/** custom-values.ts validates them against their definitions. */
export const customFields = () => input.optional(z.record(z.string(), z.unknown()));

const MAX_ANSWERS = 100;
const MAX_BYTES = 65_536;

/** The answers of a form, by question. Numbers and booleans become text; nested values are refused (C-02). */
export const formAnswers = () =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .refine((answers) => Object.keys(answers).length <= MAX_ANSWERS, `must have at most ${MAX_ANSWERS} members`)
    .refine((answers) => Buffer.byteLength(JSON.stringify(answers)) <= MAX_BYTES, 'must be at most 64 KiB');

export const activityFields = {
  type: input.choice(activityTypes),
  subject: input.text(255),
  description: input.optionalLongText(),
  assigned_to: assignee(),
  due_date: input.clearable(input.timestamp()),
  duration_minutes: input.clearable(input.int(0, 525_600)),
};
