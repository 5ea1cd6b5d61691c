// The state of the services in words: for visitors (F-84) from the cache of the public status page, for employees what
// concerns their company.
import type { App, Context, EmployeeActor } from '@keelson/core';
import { cachedPublicStatus, readPortalStatus } from '@keelson/modules/outages';
import { keywordsOf } from './words.ts';

type Outages = Awaited<ReturnType<typeof cachedPublicStatus>>['status']['outages'];

export interface ServiceStatus {
  readonly message: string;
  /** What is out at the moment. */
  readonly active: Outages;
}

/** A chat window has room for so many. */
const MAX_LINES = 3;

const statusWords: ReadonlySet<string> = new Set(keywordsOf('status outage maintenance disruption'));
const troubleWords: ReadonlySet<string> = new Set(
  keywordsOf('down offline slow broken fail failing work working available unavailable reach login connect error'),
);

export async function readServiceStatus(app: App) {
  const { status, stale } = await cachedPublicStatus(app);
  /** `online`: whether the status could be read lately. */
  return { status: status.status, online: !stale, ...inWords(status.outages) };
}

export async function readStatusForEmployee(ctx: Context<EmployeeActor>): Promise<ServiceStatus> {
  return inWords((await readPortalStatus(ctx)).outages);
}

/** The words ask for the status, name a service that is out, or report trouble while one is out. */
export function asksForStatus(words: readonly string[], { active }: ServiceStatus): boolean {
  if (words.some((word) => statusWords.has(word))) return true;
  if (active.length === 0) return false;
  const out = new Set(active.flatMap(({ service_name, title }) => keywordsOf(`${service_name} ${title}`)));
  return words.some((word) => out.has(word) || troubleWords.has(word));
}

function inWords(outages: Outages): ServiceStatus {
  const active = outages.filter((each) => each.status === 'active');
  const lines = active.slice(0, MAX_LINES).map(sentence);
  const more = active.length - lines.length;
  if (lines.length === 0) return { message: 'All services operate normally.', active };
  return { message: lines.join('\n') + (more > 0 ? `\nAnd ${more} more.` : ''), active };
}

function sentence({ service_name, title, started_at, scheduled_start, scheduled_end }: Outages[number]): string {
  const planned = scheduled_start !== null;
  const until = planned && scheduled_end ? `, until ${moment(scheduled_end)}` : '';
  return `${planned ? 'Maintenance' : 'Outage'}: ${service_name} – ${title}, since ${moment(started_at)}${until}.`;
}

/** Whoever reads it may be in any time zone. */
function moment(at: string | null): string {
  return at === null ? 'just now' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
