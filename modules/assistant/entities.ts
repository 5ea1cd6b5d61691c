import { day, int, table, type Row } from '@keelson/core';

/** How many tokens of the language model a company has used on a day; all visitors of websites are company 0. */
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
