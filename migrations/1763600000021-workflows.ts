// The tables of the module workflows.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000021-workflows', async (m) => {
  await m.createTable(
    'workflow',
    {
      workflow_id: id(),
      name: text(255),
      description: text(),
      active: flag().default(true),
      trigger_type: text(40),
      event: text(100).nullable(),
      every_minutes: int().nullable(),
      conditions: json(z.unknown()),
      actions: json(z.unknown()),
      revision: int().default(1),
      next_run_at: when().nullable(),
      run_count: int().default(0),
      last_run_at: when().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['deleted_at', 'workflow_id'],
      ['trigger_type', 'next_run_at'],
    ],
  );
  await m.createTable(
    'workflow_run',
    {
      run_id: id(),
      workflow_id: ref('workflow.workflow_id'),
      workflow_name: text(255),
      event_id: key(40),
      trigger_type: text(40),
      entity_type: text(60),
      entity_id: int().nullable(),
      status: text(40),
      actions: json(z.unknown()),
      error: text(500).nullable(),
      revision: int(),
      fence: int().default(1),
      started_at: when(),
      finished_at: when().nullable(),
    },
    [
      ['started_at', 'run_id'],
      ['workflow_id', 'started_at', 'run_id'],
      ['status', 'started_at', 'run_id'],
      ['workflow_id', 'status', 'started_at', 'run_id'],
    ],
    { unique: [['workflow_id', 'event_id']] },
  );
});
