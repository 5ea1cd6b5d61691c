// The count of all products is stored under -1: the empty text that stood there fits no flag on MySQL and MariaDB.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000061-flag-counters', async (m) => {
  await m.statement({
    sqlite: "UPDATE marketplace_product_count SET active = -1 WHERE active = ''",
    // Nothing could be stored there. A comparison with '' would find the products that are not active.
    mysql: 'DELETE FROM marketplace_product_count WHERE active NOT IN (0, 1)',
  });
});
