// Spans of days over time, with today marked. Each row also shows its dates as text.
import { Link } from 'wouter';
import type { Tone } from '../components/parts.tsx';
import { date, localToday, month } from '../format.ts';
import { useNarrow } from '../media.ts';
import { t } from '../shell/words.ts';

export interface TimelineRow {
  readonly id: string | number;
  readonly title: string;
  readonly to?: string | undefined;
  /** Days such as `2026-11-23`; a row without either has no bar. */
  readonly start: string | null;
  readonly end: string | null;
  /** The dates as text, if they are more precise than days. */
  readonly span?: string;
  readonly tone?: Tone;
  /** Status as text. */
  readonly said?: string;
  /** Single days on the row, such as due dates of milestones. */
  readonly marks?: readonly { readonly day: string; readonly title: string; readonly tone?: Tone }[];
}

interface TimelineProps {
  readonly label: string;
  readonly rows: readonly TimelineRow[];
  /** Today's date, for tests; defaults to the person's today. */
  readonly today?: string;
}

const DAY_MS = 86_400_000;
const dayOf = (day: string) => Date.parse(day) / DAY_MS;
const MOST_MONTHS = { wide: 10, narrow: 4 };
/** Latest position on the axis at which a label may start, so that the last one fits. */
const LABELLED = 0.8;

export function Timeline({ label, rows, today = localToday() }: TimelineProps) {
  const { narrow } = useNarrow();
  const mostMonths = MOST_MONTHS[narrow ? 'narrow' : 'wide'];
  const days = rows.flatMap((each) => [each.start, each.end, ...(each.marks ?? []).map(({ day }) => day)]);
  const known = [today, ...days.filter((each) => each !== null)].map(dayOf);
  const from = Math.min(...known) - 3;
  const until = Math.max(...known) + 4;
  const at = (day: number) => `${(100 * (day - from)) / (until - from)}%`;
  return (
    <div className="timeline">
      <div className="timeline-axis" aria-hidden="true">
        <div className="timeline-track">
          {monthsBetween(from, from + LABELLED * (until - from), mostMonths).map((each) => (
            <span key={each} style={{ insetInlineStart: at(each) }}>
              {month(each * DAY_MS)}
            </span>
          ))}
        </div>
      </div>
      <ul aria-label={label}>
        {rows.map((row) => (
          <li key={row.id}>
            <div className="timeline-title">
              {row.to ? <Link href={row.to}>{row.title}</Link> : <b>{row.title}</b>}
              <span className="tone-muted">
                {row.span ?? spanOf(row)}
                {row.said && ` · ${row.said}`}
              </span>
            </div>
            <div className="timeline-track" aria-hidden="true">
              <i className="timeline-today" style={{ insetInlineStart: at(dayOf(today)) }} />
              {(row.start ?? row.end) && (
                <i
                  className="timeline-bar"
                  data-tone={row.tone}
                  style={{
                    insetInlineStart: at(dayOf(row.start ?? row.end ?? today)),
                    insetInlineEnd: `calc(100% - ${at(dayOf(row.end ?? row.start ?? today) + 1)})`,
                  }}
                />
              )}
              {row.marks?.map((each) => (
                <i
                  key={each.title + each.day}
                  className="timeline-mark"
                  data-tone={each.tone}
                  title={`${each.title}, ${date(each.day)}`}
                  style={{ insetInlineStart: at(dayOf(each.day) + 0.5) }}
                />
              ))}
            </div>
            {row.marks && row.marks.length > 0 && (
              <span className="hidden">{row.marks.map((each) => `${each.title}, ${date(each.day)}`).join('; ')}</span>
            )}
          </li>
        ))}
      </ul>
      <p className="timeline-key tone-muted">
        <i className="timeline-today" aria-hidden="true" /> {t('Today, {today}', { today: date(today) })}
      </p>
    </div>
  );
}

function spanOf({ start, end }: TimelineRow): string {
  if (start && end) return `${date(start)} – ${date(end)}`;
  if (start) return t('from {start}', { start: date(start) });
  return end ? t('until {end}', { end: date(end) }) : t('No dates');
}

/** Returns the first day of each month within a span; for long spans, of every second or third month and so on. */
function monthsBetween(from: number, until: number, most: number): number[] {
  const start = new Date(from * DAY_MS);
  const months: number[] = [];
  for (let month = start.getUTCMonth() + 1; ; month++) {
    const day = Date.UTC(start.getUTCFullYear(), month, 1) / DAY_MS;
    if (day > until) break;
    months.push(day);
  }
  const step = Math.ceil(months.length / most);
  return months.filter((_, index) => index % step === 0);
}
