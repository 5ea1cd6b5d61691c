// One claim for each mail address of contacts and technicians, so that two writers cannot give it to two people. Addresses
// that two people have already stay as they are; the technician holds the claim.
import { migration } from '../packages/database/migration/migrate.ts';
import { choice, key } from '../packages/database/schema/table.ts';

export default migration('1795712085922-address-claims', async (m) => {
  await m.createTable('address_claim', { email_key: key(254).primary(), kind: choice('contact', 'technician') }, []);
  await m.runner(async (runner) => {
    const add = async (kind: string, from: string) =>
      void (await runner.query(`INSERT INTO address_claim (email_key, kind) SELECT DISTINCT email_key, '${kind}' FROM ${from}
        WHERE email_key IS NOT NULL AND email_key <> ''
          AND email_key NOT IN (SELECT held.email_key FROM (SELECT email_key FROM address_claim) AS held)`));
    await add('technician', 'technician');
    await add('contact', 'employee');
    await add('contact', 'employee_address');
  });
});
