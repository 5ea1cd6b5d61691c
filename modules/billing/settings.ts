import { setting, z } from '@keelson/core';

/** How subscription invoices are created. */
export const SubscriptionInvoices = setting(
  'billing.subscription_invoices',
  z.object({
    /** Status of recurring invoices; a purchase always creates a draft (B-13). */
    status: z.enum(['draft', 'sent']),
    /** In parts per million. */
    tax_ppm: z.int().min(0).max(1_000_000),
  }),
  { status: 'draft', tax_ppm: 0 },
);
