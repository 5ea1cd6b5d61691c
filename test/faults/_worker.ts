// A process that only delivers, on a clock that runs `speed` times as fast since `start`, plus `ahead` ms: leases
// expire in seconds. An optional per-minute job follows that clock too, which node-cron cannot.
import { onSignals } from '../../core/process/signals.ts';
import { openOnClock } from './_open-app.ts';

const [start = 0, speed = 1, ahead = 0] = process.argv.slice(2, 5).map(Number);
const [minutely] = process.argv.slice(5);
const TURN_MS = 500;
const app = await openOnClock(() => new Date(start + (Date.now() - start) * speed + ahead).toISOString());
const stay = setInterval(() => {
  if (minutely === undefined) return;
  const dueAt = `${app.clock.now().slice(0, 16)}:00.000Z`;
  app.scheduler.runDue(minutely, dueAt).catch((err: unknown) => app.log.error({ err }, 'the job could not be started'));
}, TURN_MS);
onSignals(() => {
  clearInterval(stay);
  return app.close();
});
await app.start('jobs');
process.stdout.write('started\n');
