// Body fields of members.
import { input, normalised, z } from '@keelson/core';

const MOST_SKILLS = 50;

const skill = input
  .text(100, { compared: true })
  .overwrite(normalised)
  .refine((text) => !text.includes(','), 'must not contain a comma');

/** A phone number in international format; spaces, dots, dashes and brackets are removed. */
export const mobileField = z
  .string()
  .overwrite((text) => text.replace(/[\s().\-/]/g, '').replace(/^00/, '+'))
  .refine((text) => /^\+[1-9]\d{6,14}$/.test(text), 'must be a number such as +49 30 123456')
  .meta({ maxLength: 40 });

export const memberFields = {
  skills: z.array(skill).max(MOST_SKILLS, `must contain at most ${MOST_SKILLS} skills`).default([]),
  rota_position: input.clearable(input.int(1, 100)),
  mobile: input
    .clearable(mobileField)
    .meta({ title: 'Mobile number', description: 'For text messages about escalations: +49 30 123456.' }),
};
export const newMemberFields = { team_id: input.id(), user_id: input.id().meta({ title: 'Technician' }) };
