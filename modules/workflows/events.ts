import { event, z } from '@keelson/core';

/** A workflow's time has come. */
export const WorkflowDue = event('workflows.due', z.object({ workflow_id: z.int() }));
