// Scans on request (MO-13 to MO-16).
import { create, invalid, type Context } from '@keelson/core';
import { blockOf, ipNetwork } from '@keelson/core/kit';
import { checkPlace } from '@keelson/modules/directory';
import { queueCommand } from '../collectors/command-queue.ts';
import { Collector, type DiscoveryJob } from '../entities.ts';
import { Jobs } from './job-states.ts';

/** Minimum prefix length; larger networks take too long to scan (MO-15). */
const FEWEST_BITS = { ipv4: 16, ipv6: 112 } as const;

export interface NewScan {
  readonly company_number: number;
  readonly site_number: number;
  readonly subnet: string;
  readonly scan_type?: string | undefined;
}

/** Queues a scan for the site's most recently seen collector, or else for the first to poll. @throws invalid() */
export async function startScan(ctx: Context, { scan_type = 'full', ...asked }: NewScan): Promise<DiscoveryJob> {
  await checkPlace(ctx, asked);
  const { company_number, site_number } = asked;
  const subnet = checkedSubnet(asked.subnet);
  const best = await ctx.db.findOne(Collector, {
    where: { site_number, company_number, status: 'active' },
    order: { last_seen_at: 'DESC' },
  });
  const place = { company_number, site_number, collector_id: best?.collector_id ?? null };
  const job = await create(ctx, Jobs, { ...place, job_type: 'scan', scan_type, subnet });
  await queueCommand(ctx, place, 'scan', { job_id: job.job_id, scan_type, subnet }, job.job_id);
  return job;
}

/** Returns the network in canonical form. @throws invalid() */
function checkedSubnet(text: string): string {
  const block = text.includes('/') ? blockOf(text.trim()) : undefined;
  if (!block) throw invalid('subnet must be a network in CIDR notation (192.0.2.0/24)');
  const family = block.address.kind();
  if (block.bits < FEWEST_BITS[family]) throw invalid(`subnet must be /${FEWEST_BITS[family]} or smaller`);
  return `${ipNetwork(block).address}/${block.bits}`;
}
