// A job has at most one run at a time, which the database ensures.
import { migration } from '../packages/database/migration/migrate.ts';
import { key } from '../packages/database/schema/table.ts';

export default migration('1796310089091-one-run-of-a-job', async (m) => {
  await m.addColumn('job_run', 'running_job', key(100).nullable().unique());
});
