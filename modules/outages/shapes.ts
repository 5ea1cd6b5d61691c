import { z } from '@keelson/core';
import { PortalOutage } from './outages/outage-list.ts';

export const serviceStates = ['operating_normally', 'maintenance', 'outage'] as const;
export type ServiceState = (typeof serviceStates)[number];

/** Service of a company in responses (F-50). */
export const CompanyServiceItem = z.object({
  company_number: z.int(),
  service_id: z.int(),
  service_name: z.string(),
  status: z.enum(serviceStates),
  active_outage_id: z.int().nullable(),
  since: z.iso.datetime().nullable(),
});

/** Portal status response (F-51). */
export const PortalStatus = z.object({
  status: z.enum(serviceStates),
  services: z.array(CompanyServiceItem),
  outages: z.array(PortalOutage.shape),
  updated_at: z.iso.datetime(),
});
