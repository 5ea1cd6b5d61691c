// Fields that several bodies of the CRM have.
import { input, z } from '@keelson/core';
import { activityTypes } from '../../activities/entities.ts';

/** A technician, or nobody. */
export const assignee = () => input.clearable(input.id());

/** Judged against the definitions where they are stored (custom-values.ts). */
export const customFields = () => input.optional(z.record(z.string(), z.unknown()));

const MOST_ANSWERS = 100;
const MOST_BYTES = 65_536;

/** What a form asked and was answered: numbers and booleans become text, nothing is nested (C-02). */
export const formAnswers = () =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .refine((answers) => Object.keys(answers).length <= MOST_ANSWERS, `must have at most ${MOST_ANSWERS} members`)
    .refine((answers) => Buffer.byteLength(JSON.stringify(answers)) <= MOST_BYTES, 'must be at most 64 KiB');

export const activityFields = {
  type: input.choice(activityTypes),
  subject: input.text(255),
  description: input.optionalLongText(),
  assigned_to: assignee(),
  due_date: input.clearable(input.timestamp()),
  duration_minutes: input.clearable(input.int(0, 525_600)),
};
