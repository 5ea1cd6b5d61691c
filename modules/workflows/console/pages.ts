import { administrators, consolePart } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';

const Write = administrators(WriteSettings);

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/workflows/new', title: 'New workflow', file: 'edit-workflow', access: Write },
    { path: '/workflows/:id/edit', title: 'Edit workflow', file: 'edit-workflow', access: Write },
    { path: '/workflows/:id', title: 'Workflow', file: 'workflow-page', access: ReadSettings },
  ],
  lists: [
    {
      path: '/workflows',
      title: 'Workflows',
      access: ReadSettings,
      nav: { section: 'administration', icon: 'flow', order: 10 },
      list: 'GET /workflows.php',
      id: 'workflow_id',
      columns: ['name', 'active', 'run_count', 'last_run_at', 'updated_at'],
      open: '/workflows/:id',
      createPage: { title: 'New workflow', path: '/workflows/new' },
      empty: 'Workflows automate routine steps: when an event happens and its conditions match, the actions run.',
    },
    {
      path: '/workflows/runs',
      title: 'Workflow runs',
      access: ReadSettings,
      nav: { section: 'administration', icon: 'history', order: 11 },
      list: 'GET /workflows.php?action=history',
      id: 'run_id',
      columns: ['workflow_name', 'entity_type', 'entity_id', 'status', 'trigger', 'error', 'started_at', 'finished_at'],
      filters: ['status'],
    },
  ],
});
