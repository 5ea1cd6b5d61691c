// Action buttons of a timer.
import { IconButton, useChange, type Data, t } from '@keelson/web';
import { useState } from 'react';
import { StopTimer } from './stop-timer.tsx';

export type Timer = Data<'GET /timers.php'>[number];

export function TimerActs({ timer }: { timer: Timer }) {
  const [stopping, setStopping] = useState(false);
  const touches = ['/timers.php'];
  const pause = useChange('PUT /timers.php?action=pause&id={id}', { touches });
  const resume = useChange('PUT /timers.php?action=resume&id={id}', { touches });
  const discard = useChange('DELETE /timers.php?id={id}', { touches });
  const args = { id: timer.timer_id };
  return (
    <span className="timer-acts">
      {timer.running ? (
        <IconButton icon="pause" label={t('Pause timer')} onClick={() => pause.mutate(args)} />
      ) : (
        <IconButton icon="play" label={t('Resume timer')} onClick={() => resume.mutate(args)} />
      )}
      <IconButton icon="stop" label={t('Stop timer and log time')} onClick={() => setStopping(true)} />
      <IconButton icon="trash" label={t('Discard timer')} onClick={() => discard.mutate(args)} />
      <StopTimer id={timer.timer_id} open={stopping} onClose={() => setStopping(false)} />
    </span>
  );
}
