import { z } from '@keelson/core';
import { outageStates, OutageHistory, OutageService, OutageSubscriber, severities } from './entities.ts';

const moment = z.iso.datetime().nullable();

/** What a customer's people are told of an outage: nothing of who wrote it, nor of other companies. */
export const PortalOutage = z.object({
  outage_id: z.int(),
  service_id: z.int(),
  service_name: z.string(),
  title: z.string(),
  description: z.string(),
  severity: z.enum(severities),
  status: z.enum(outageStates),
  started_at: moment,
  scheduled_start: moment,
  scheduled_end: moment,
  resolved_at: moment,
  notes: z.string(),
  updated_at: z.iso.datetime(),
});

/** F-48. */
export const OutageItem = PortalOutage.extend({
  company_number: z.int().nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
});
export type OutageItem = z.output<typeof OutageItem>;

export const HistoryItem = OutageHistory.shape.omit({ history_id: true, outage_id: true });
export const OutageDetail = OutageItem.extend({ status_history: z.array(HistoryItem) });

export const serviceStates = ['operating_normally', 'maintenance', 'outage'] as const;
export type ServiceState = (typeof serviceStates)[number];

/** F-49. */
export const ServiceItem = z.object({
  ...OutageService.shape.shape,
  status: z.enum(serviceStates),
  active_outage_id: z.int().nullable(),
});

/** F-50. */
export const CompanyServiceItem = z.object({
  company_number: z.int(),
  service_id: z.int(),
  service_name: z.string(),
  status: z.enum(serviceStates),
  active_outage_id: z.int().nullable(),
  since: moment,
});

export const SubscriberItem = OutageSubscriber.shape;

/** F-51. */
export const PortalStatus = z.object({
  status: z.enum(serviceStates),
  services: z.array(CompanyServiceItem),
  outages: z.array(PortalOutage),
  updated_at: z.iso.datetime(),
});
