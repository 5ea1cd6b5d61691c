import { setting, z } from '@keelson/core';

export const contentTypes = ['json', 'form'] as const;

const Kept = z.object({
  url: z.string(),
  content_type: z.enum(contentTypes),
  /** The body of a request, with `{{ number }}` and `{{ text }}`. */
  body: z.string(),
  /** The value of the Authorization header, sealed; empty without one. */
  authorization: z.string(),
});

export const noGateway: z.infer<typeof Kept> = { url: '', content_type: 'json', body: '', authorization: '' };

/** The service that sends text messages; `url` is empty until set. */
export const StoredGateway = setting('teams.sms_gateway', Kept, noGateway);
