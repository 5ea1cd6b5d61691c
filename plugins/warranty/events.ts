import { event, z } from '@keelson/core';

export const ClaimFiled = event(
  'warranty.filed',
  z.object({
    claim_id: z.int(),
    company_number: z.int(),
    ticket_id: z.int(),
    vendor: z.string(),
    product: z.string(),
  }),
  { webhook: 'admin' },
);
