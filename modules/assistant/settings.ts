import { setting, z } from '@keelson/core';

/** Language-model tokens per company and day. All website visitors together get the same amount. */
export const TokensPerDay = setting('assistant.tokens_per_day', z.int().min(0).max(100_000_000), 200_000);
