// Body fields of members.
import { input, normalised, z } from '@keelson/core';

const MOST_SKILLS = 50;

const skill = input
  .text(100, { compared: true })
  .overwrite((text) => normalised(text).replace(/\s+/g, ' '))
  .refine((text) => !text.includes(','), 'must not contain a comma');

export const memberFields = {
  skills: z.array(skill).max(MOST_SKILLS, `must contain at most ${MOST_SKILLS} skills`).default([]),
  rota_position: input.clearable(input.int(1, 100)),
};
export const newMemberFields = { team_id: input.id(), user_id: input.id() };
