import { setting, z } from '@keelson/core';

/** Language-model tokens per company and day. All website visitors together get the same amount. */
export const TokensPerDay = setting('assistant.tokens_per_day', z.int().min(0).max(100_000_000), 200_000);

const Kept = z.object({
  base_url: z.string(),
  model: z.string(),
  /** Sealed; empty for a service that needs none. */
  api_key: z.string(),
});

export const noModel: z.infer<typeof Kept> = { base_url: '', model: '', api_key: '' };

/** The language model set in the console; `base_url` is empty until set. */
export const StoredModel = setting('assistant.model', Kept, noModel);
