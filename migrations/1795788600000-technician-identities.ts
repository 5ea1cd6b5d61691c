// Technicians can sign in with an identity provider.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, key, ref, when } from '../packages/database/schema/table.ts';

export default migration('1795788600000-technician-identities', async (m) => {
  await m.createTable(
    'technician_identity',
    {
      identity_id: id(),
      user_id: ref('technician.user_id'),
      issuer: key(255),
      subject: key(255),
      created_at: when(),
      last_used_at: when(),
    },
    [],
    {
      unique: [
        ['issuer', 'subject'],
        ['user_id', 'issuer'],
      ],
    },
  );
});
