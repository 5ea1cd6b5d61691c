// Stores the total of all products under -1: the previous empty string is not a valid flag on MySQL and MariaDB.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000061-flag-counters', async (m) => {
  await m.statement({
    sqlite: "UPDATE marketplace_product_count SET active = -1 WHERE active = ''",
    // No total could be stored here. Comparing with '' would match the inactive products.
    mysql: 'DELETE FROM marketplace_product_count WHERE active NOT IN (0, 1)',
  });
});
