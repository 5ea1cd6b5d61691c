// Registers the application's gauges, read when metrics are scraped.
import { missingFiles } from '../attachments/tidy.ts';
import { Mail } from '../mail/mail.ts';
import type { App } from '../plugin/app.ts';

/** Declares the application's gauges. */
export function measure(app: App): void {
  const { metrics, outbox, database } = app;
  const missing = missingFiles(app);
  metrics.gauge('keelson_outbox_pending', 'Deliveries that wait or run.', async () => (await outbox.waiting()).pending);
  metrics.gauge(
    'keelson_outbox_parked',
    'Deliveries that failed for good.',
    async () => (await outbox.waiting()).parked,
  );
  metrics.gauge('keelson_live_streams', 'Open streams of changes.', () => app.live.streams);
  metrics.gauge(
    'keelson_attachments_missing',
    'Attachments without their file, when last looked.',
    () => missing.count,
  );
  metrics.gauge('keelson_mail_held', 'Mails that wait for a server.', () => database.countBy(Mail, { state: 'held' }));
  metrics.gauge('keelson_mail_failed', 'Mails that failed for good.', () =>
    database.countBy(Mail, { state: 'failed' }),
  );
}
