// How the services are, as a chat says it (F-84): what everybody may know, from the public status page's own memory.
import type { App } from '@keelson/core';
import { cachedPublicStatus } from '@keelson/modules/outages';

/** Whoever sees a list in a chat window reads the first few. */
const SAID = 3;

export async function readServiceStatus(app: App) {
  const { status, stale } = await cachedPublicStatus(app);
  const active = status.outages.filter((each) => each.status === 'active');
  const lines = active.slice(0, SAID).map(sentence);
  const more = active.length - lines.length;
  return {
    status: status.status,
    /** Answers can be given: what they are made from is there. */
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

/** A visitor may be anywhere: a time without its zone would mislead. */
function moment(at: string | null): string {
  return at === null ? 'just now' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
