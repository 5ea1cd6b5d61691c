import { Mail } from '../mail/mail.ts';
import type { App } from '../plugin/app.ts';

/** What the metrics page shows of a tenant's queues. */
export function measure({ metrics, outbox, database }: App): void {
  metrics.gauge('keelson_outbox_pending', 'Deliveries that wait or run.', async () => (await outbox.waiting()).pending);
  metrics.gauge(
    'keelson_outbox_parked',
    'Deliveries that failed for good.',
    async () => (await outbox.waiting()).parked,
  );
  metrics.gauge('keelson_mail_held', 'Mails that wait for a server.', () => database.count(Mail, { state: 'held' }));
  metrics.gauge('keelson_mail_failed', 'Mails that failed for good.', () => database.count(Mail, { state: 'failed' }));
}
