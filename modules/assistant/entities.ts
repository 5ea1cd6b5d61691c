import { day, int, table, type Row } from '@keelson/core';

/** Language-model tokens used per company and day. All website visitors count as company 0. */
export const AssistantUsage = table(
  'assistant_usage',
  {
    company_number: int().primary(),
    day: day().primary(),
    tokens: int().default(0),
  },
  [['day']],
);
export type AssistantUsage = Row<typeof AssistantUsage>;
