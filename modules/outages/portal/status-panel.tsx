// Current outages, on the home page and above the new-ticket form.
import { Link, Note, Time, useItem, t } from '@keelson/web';

export interface Outage {
  readonly outage_id: number;
  readonly title: string;
  readonly description: string;
  readonly severity: string;
  readonly status: 'active' | 'resolved' | 'scheduled';
  readonly started_at: string | null;
  readonly scheduled_start: string | null;
  readonly scheduled_end: string | null;
  readonly notes: string;
  readonly updated_at: string;
  readonly service_name: string;
}

/** Minimum length of title words to match; shorter ones match by chance. */
const SHORTEST = 4;
const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Number of title words that a text must contain, unless the title has fewer: a single common word says little. */
const ENOUGH = 2;

/** Returns whether a text may be about an outage: it contains the service name or words of the title. */
function isAbout(text: string, { service_name, title }: Outage): boolean {
  const asked = new Set(wordsIn(text));
  const says = (each: string) => asked.has(each) || asked.has(each.replace(/s$/, '')) || asked.has(`${each}s`);
  const telling = wordsIn(title).filter((each) => each.length >= SHORTEST);
  const said = telling.filter(says).length;
  return wordsIn(service_name).some(says) || (said > 0 && said >= Math.min(ENOUGH, telling.length));
}

/** Shows all active outages on the home page; above a new ticket, only those that match its text. */
export default function StatusPanel({ text }: { text?: string }) {
  const { data } = useItem('GET /status');
  const active: readonly Outage[] = (data?.outages ?? []).filter((each: Outage) => each.status === 'active');
  const shown = text === undefined ? active : active.filter((each) => isAbout(text, each));
  return shown.map((each) => (
    <Note
      key={each.outage_id}
      tone="warn"
      title={t('{service_name} is having problems.', { service_name: each.service_name })}
    >
      {each.title} · <Time at={each.started_at} /> · <Link href="/status">{t('Details')}</Link>
    </Note>
  ));
}
