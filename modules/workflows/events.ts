import { event, z } from '@keelson/core';

/** Emitted when a scheduled workflow is due. */
export const WorkflowDue = event('workflows.due', z.object({ workflow_id: z.int() }));
