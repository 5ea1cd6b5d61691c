import { setting, z } from '@keelson/core';

export const contentTypes = ['json', 'form'] as const;

const Kept = z.object({
  url: z.string(),
  content_type: z.enum(contentTypes),
  /** Template of the request body, with `{{ number }}` and `{{ text }}`. */
  body: z.string(),
  /** The Authorization header, sealed; empty if there is none. */
  authorization: z.string(),
});

export const noGateway: z.infer<typeof Kept> = { url: '', content_type: 'json', body: '', authorization: '' };

/** The SMS gateway; `url` is empty until it is set up. */
export const StoredGateway = setting('teams.sms_gateway', Kept, noGateway);
