// Body fields of recurring tickets.
import { input, param, z } from '@keelson/core';
import { closedDays } from './entities.ts';
import { daysOf, readRule } from './rule.ts';

/** Maximum companies per recurring ticket, because their tickets are created in one transaction. */
const MOST_COMPANIES = 50;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const timeField = z
  .string()
  .overwrite((text) => text.trim())
  .refine((text) => TIME.test(text), 'must be a time (HH:MM)')
  .meta({ maxLength: 5 });

const ruleField = z
  .string()
  .max(255)
  .overwrite((text) =>
    text
      .trim()
      .toUpperCase()
      .replace(/^RRULE:/, ''),
  )
  .superRefine((text, issues) => {
    const fault = readRule(text);
    if (typeof fault === 'string') issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({ maxLength: 255 });

/** Returns true if a valid rule has at least one date. */
export function hasDates(rrule: string, starts_on: string): boolean {
  try {
    for (const _ of daysOf(rrule, starts_on)) return true;
    return false;
  } catch (error) {
    // The library gives up after many empty periods.
    if (error instanceof Error && error.message.startsWith('Maximum ')) return false;
    throw error;
  }
}

export const recurringFields = {
  name: input.text(255, { compared: true }),
  template_id: input.id(),
  company_numbers: input.ids({ max: MOST_COMPANIES }),
  starts_on: input.day(),
  time: timeField,
  rrule: ruleField,
  calendar_id: input.clearable(input.id()),
  on_closed_days: input.optional(input.choice(closedDays)),
  active: input.optional(input.flag()),
  /** The technician who visits the customer on each date. */
  visit_user_id: input.clearable(input.id()),
  visit_minutes: input.optional(input.int(15, 1440)),
  visit_days_ahead: input.optional(input.int(1, 60)),
  /** The contact to invite; only with a single company. */
  visit_employee_number: input.clearable(input.id()),
};

export const previewQuery = z.object({
  starts_on: param.required(param.day()),
  time: param.required(timeField.optional()),
  rrule: param.required(ruleField.optional()),
  calendar_id: param.id(),
  on_closed_days: param.choice(closedDays),
});
