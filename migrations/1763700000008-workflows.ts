// Initial workflow tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000008-workflows', async (m) => {
  await m.createTable(
    'workflow',
    {
      workflow_id: id(),
      name: text(255),
      description: text().default(''),
      active: flag().default(true),
      trigger_type: choice('event', 'schedule', 'manual'),
      event: text(100).nullable(),
      every_minutes: int().nullable(),
      conditions: json(z.array(z.unknown())),
      actions: json(z.array(z.unknown())),
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
      trigger_type: choice('event', 'schedule', 'manual'),
      entity_type: text(60),
      entity_id: int().nullable(),
      status: choice('running', 'completed', 'failed', 'skipped'),
      actions: json(z.array(z.unknown())),
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
  const counted = { workflow_id: int(), status: text(40) };
  await m.createTable('workflow_run_count', {
    workflow_id: counted.workflow_id.primary(),
    status: counted.status.primary(),
    n: int(),
  });
  await m.createTable('workflow_run_count_delta', { delta_id: id(), ...counted, n: int() });
});
