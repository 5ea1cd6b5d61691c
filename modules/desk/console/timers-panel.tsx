// The technician's timers on the home page, the running one first.
import { addressWith, Card, Link, useItem, useLive, t } from '@keelson/web';
import { Clock } from './clock.tsx';
import { TimerActs } from './timer-acts.tsx';

export default function Timers() {
  useLive('timer', '/timers.php');
  const timers = useItem('GET /timers.php').data ?? [];
  if (timers.length === 0) return null;
  return (
    <Card title={t('Timers ({count})', { count: timers.length })} flush>
      <ul className="lines timers">
        {timers.map((each) => (
          <li key={each.timer_id}>
            <div className="timer" data-running={each.running || undefined}>
              <Clock of={each} />
              <Link href={addressWith('/tickets/:quoted', each.ticket_id)} className="grow">
                <span className="tone-muted">{each.ticket?.ticket_number}</span> {each.ticket?.subject}
              </Link>
              <TimerActs timer={each} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
