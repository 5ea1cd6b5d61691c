// The status of the services for visitors (F-84), from the cache of the public status page.
import type { App } from '@keelson/core';
import { cachedPublicStatus } from '@keelson/modules/outages';

/** A chat window has room for so many. */
const MAX_LINES = 3;

export async function readServiceStatus(app: App) {
  const { status, stale } = await cachedPublicStatus(app);
  const active = status.outages.filter((each) => each.status === 'active');
  const lines = active.slice(0, MAX_LINES).map(sentence);
  const more = active.length - lines.length;
  return {
    status: status.status,
    /** Whether the status could be read lately. */
    online: !stale,
    message:
      lines.length === 0
        ? 'All services operate normally.'
        : lines.join('\n') + (more > 0 ? `\nAnd ${more} more.` : ''),
    active,
  };
}
export type ServiceStatus = Awaited<ReturnType<typeof readServiceStatus>>;

type Active = Awaited<ReturnType<typeof cachedPublicStatus>>['status']['outages'][number];

function sentence({ service_name, title, started_at, scheduled_start, scheduled_end }: Active): string {
  const planned = scheduled_start !== null;
  const until = planned && scheduled_end ? `, until ${moment(scheduled_end)}` : '';
  return `${planned ? 'Maintenance' : 'Outage'}: ${service_name} – ${title}, since ${moment(started_at)}${until}.`;
}

/** Visitors may be in any time zone. */
function moment(at: string | null): string {
  return at === null ? 'just now' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
