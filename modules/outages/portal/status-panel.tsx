// What does not work at the moment: on the home page, and above a new ticket.
import { Link, Note, Time, useItem } from '@keelson/web';

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

export default function StatusPanel() {
  const { data } = useItem('GET /status');
  const active: readonly Outage[] = (data?.outages ?? []).filter((each: Outage) => each.status === 'active');
  return active.map((each) => (
    <Note key={each.outage_id} tone="warn" title={`${each.service_name} has a problem.`}>
      {each.title} <Time at={each.started_at} /> <Link href="/status">Details</Link>
    </Note>
  ));
}
