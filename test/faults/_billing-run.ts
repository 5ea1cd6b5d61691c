// A process that creates the recurring invoices once, at a given time.
import { billSubscriptions } from '@keelson/modules/billing';
import { openOnClock } from './_open-app.ts';

const [now = ''] = process.argv.slice(2);
const app = await openOnClock(() => now);
process.stdout.write('started\n');
await billSubscriptions(app.system());
await app.close();
