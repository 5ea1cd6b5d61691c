import { z } from '@keelson/core';
import { slot } from '@keelson/core/plugin';

/** When outages of a company's services started and ended, by company; `to` is null during an outage. */
export const CompanyOutages = slot(
  'company.outages',
  z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime().nullable() })),
  [],
);
