// Describes service status in words. Visitors (F-84) get the cached public status page, employees what affects their
// company.
import type { App, Context, EmployeeActor } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { cachedPublicStatus, readPortalStatus } from '@keelson/modules/outages';
import { keywordsOf } from './words.ts';

type Outages = Awaited<ReturnType<typeof cachedPublicStatus>>['status']['outages'];

export interface ServiceStatus {
  readonly message: string;
  /** Current outages. */
  readonly active: Outages;
}

/** Maximum lines that fit in a chat window. */
const MAX_LINES = 3;

const statusWords: ReadonlySet<string> = new Set(keywordsOf('status outage maintenance disruption'));
const troubleWords: ReadonlySet<string> = new Set(
  keywordsOf('down offline slow broken fail failing work working available unavailable reach login connect error'),
);

export async function readServiceStatus(app: App) {
  const { status, stale } = await cachedPublicStatus(app);
  /** `online`: the status was read recently. */
  return { status: status.status, online: !stale, ...inWords(status.outages) };
}

export async function readStatusForEmployee(ctx: Context<EmployeeActor>): Promise<ServiceStatus> {
  return inWords((await readPortalStatus(ctx)).outages);
}

/**
 * Returns true if the words ask for the status, or concern a current outage by naming its service or matching its
 * title. A single word of the title is enough when they report trouble.
 */
export function asksForStatus(words: readonly string[], status: ServiceStatus): boolean {
  if (words.some((word) => statusWords.has(word))) return true;
  const enough = reportsTrouble(words, status) ? 1 : 2;
  return status.active.some(({ service_name, title }) => {
    const [service, about] = [service_name, title].map((each) => new Set(keywordsOf(each)));
    return words.some((word) => service?.has(word)) || words.filter((word) => about?.has(word)).length >= enough;
  });
}

/** Returns true if the words report trouble during an outage, which may be the cause if nothing else fits. */
export const reportsTrouble = (words: readonly string[], { active }: ServiceStatus): boolean =>
  active.length > 0 && words.some((word) => troubleWords.has(word));

function inWords(outages: Outages): ServiceStatus {
  const active = outages.filter((each) => each.status === 'active');
  const lines = active.slice(0, MAX_LINES).map(sentence);
  const more = active.length - lines.length;
  if (lines.length === 0) return { message: explained('All services are operating normally.'), active };
  return { message: lines.join('\n') + (more > 0 ? `\n${explained(`And ${more} more.`)}` : ''), active };
}

function sentence({ service_name, title, started_at, scheduled_start, scheduled_end }: Outages[number]): string {
  const since = moment(started_at);
  if (scheduled_start === null) return explained(`Outage: ${service_name} – ${title}, since ${since}.`);
  if (!scheduled_end) return explained(`Maintenance: ${service_name} – ${title}, since ${since}.`);
  const until = moment(scheduled_end);
  return explained(`Maintenance: ${service_name} – ${title}, since ${since}, until ${until}.`);
}

/** UTC, because the reader may be in any time zone. */
function moment(at: string | null): string {
  return at === null ? explained('just now') : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
