// Timer panel of a ticket. `t` starts, pauses and resumes it.
import {
  ask,
  Button,
  queries,
  Section,
  stale,
  useChange,
  useItem,
  useKeys,
  useLive,
  useMay,
  useOffer,
  t,
} from '@keelson/web';
import { Clock, useMinutes } from './clock.tsx';
import { TimerActs } from './timer-acts.tsx';

export default function TimerPanel({ ticket }: { ticket: { readonly ticket_id: number } }) {
  const may = useMay()('tickets:write');
  useLive('timer', '/timers.php');
  const { data } = useItem('GET /timers.php', {}, { enabled: may });
  const timer = data?.find((each) => each.ticket_id === ticket.ticket_id);
  const touches = ['/timers.php'];
  const start = useChange('POST /timers.php', { touches });
  const pause = useChange('PUT /timers.php?action=pause&id={id}', { touches });
  const begin = () => start.mutate({ body: { ticket_id: ticket.ticket_id } });
  const minutes = useMinutes(timer);
  const used = async (keepalive = false) => {
    // Its time is logged already; if it cannot be discarded, it is still shown, and a person can.
    await ask('DELETE /timers.php?id={id}', { id: timer?.timer_id, keepalive }).catch(() => undefined);
    await stale(queries, touches);
  };
  useOffer('ticket', ticket.ticket_id, timer && { minutes, used: (leaving) => void used(leaving) });
  const toggle = () => (timer?.running ? pause.mutate({ id: timer.timer_id }) : begin());
  useKeys(may ? [{ keys: 't', title: t('Start or pause timer'), run: toggle }] : []);
  if (!may) return null;
  return (
    <Section title={t('Timer')}>
      {timer ? (
        <div className="timer" data-running={timer.running || undefined}>
          <Clock of={timer} />
          <TimerActs timer={timer} />
        </div>
      ) : (
        <Button icon="play" keys="t" onClick={begin}>
          {t('Start')}
        </Button>
      )}
    </Section>
  );
}
