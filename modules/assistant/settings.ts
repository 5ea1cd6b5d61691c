import { setting, z } from '@keelson/core';

/** How many tokens of the language model a company may use on a day; all visitors of websites together have as many. */
export const TokensPerDay = setting('assistant.tokens_per_day', z.int().min(0).max(100_000_000), 200_000);
