// A ticket's SLA clocks.
import { Fact, Facts, minutes, Section, t, useNow } from '@keelson/web';
import { causes, distance, ends, moment, titles, type Level, type Ticket } from './look.tsx';

const MINUTE = 60_000;
/** Shown as urgent when less than this is left. */
const SOON = 30 * MINUTE;

export default function LevelPanel({ ticket }: { ticket: Ticket }) {
  const now = useNow();
  const levels = ticket.service_levels;
  const [first] = levels;
  if (!first) return null;
  return (
    <Section title={t('Service level')}>
      <Facts>
        <Fact name={t('Policy')}>{first.policy_name}</Fact>
        {levels.map((each) => (
          <Fact key={each.kind} name={titles[each.kind]}>
            <span className={`tone-${toneOf(each, now)}`}>{said(each, now)}</span>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

/** A target in the past is breached, even if the server has not noticed yet. */
const isBreached = ({ breached_at, due_at }: Level, now: number): boolean =>
  breached_at !== null || (due_at !== null && new Date(due_at).getTime() <= now);

function said(level: Level, now: number): string {
  const { kind, due_at, breached_at, met_at, paused_since, paused_by, remaining_minutes } = level;
  const missed = breached_at ?? due_at;
  if (isBreached(level, now) && missed) {
    const breached = moment(missed, now);
    return met_at
      ? t('Breached {breached}, {end} {met}', { breached, end: ends[kind], met: moment(met_at, now) })
      : t('Breached {breached}', { breached });
  }
  if (met_at) return t('Met {met}', { met: moment(met_at, now) });
  if (paused_since)
    return t('Paused since {since} ({cause}), {left} left', {
      since: moment(paused_since, now),
      cause: paused_by ? causes[paused_by] : '',
      left: minutes(remaining_minutes ?? 0),
    });
  return due_at ? t('Due in {distance}', { distance: distance(due_at, now) }) : t('No due time');
}

function toneOf(level: Level, now: number) {
  if (isBreached(level, now)) return 'danger';
  if (level.met_at) return 'ok';
  const soon = level.due_at !== null && new Date(level.due_at).getTime() - now < SOON;
  return soon ? 'warn' : 'plain';
}
