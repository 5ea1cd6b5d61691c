// Adds pauses, prices to come and a tax rate to subscriptions.
import { migration } from '../packages/database/migration/migrate.ts';
import { big, day, int } from '../packages/database/schema/table.ts';

export default migration('1795709248516-subscription-prices', async (m) => {
  await m.addColumn('subscription', 'tax_ppm', int().nullable());
  await m.addColumn('subscription', 'next_price_minor', big().nullable());
  await m.addColumn('subscription', 'next_price_from', day().nullable());
  await m.addColumn('subscription', 'periods_skipped', int().default(0));
});
