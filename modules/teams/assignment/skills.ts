import { normalised } from '@keelson/core';
import type { Ticket } from '@keelson/modules/tickets';
import type { TeamMember } from '../members/entities.ts';

/** Returns the first member with the most skills matching the ticket's category and tags; undefined without a match. */
export function bestSkilled({ job_type, tags }: Pick<Ticket, 'job_type' | 'tags'>, members: readonly TeamMember[]) {
  const wanted = new Set([normalised(job_type), ...(tags ?? [])]);
  let best: { readonly member: TeamMember; readonly matching: readonly string[] } | undefined;
  for (const member of members) {
    const matching = member.skills.filter((each) => wanted.has(each));
    if (matching.length > (best?.matching.length ?? 0)) best = { member, matching };
  }
  return best && { member: best.member, why: `by skill ${best.matching.join(', ')}` };
}
