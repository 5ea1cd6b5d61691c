export { Workflow, WorkflowRun } from './entities.ts';
export { createWorkflow, updateWorkflow, type NewWorkflow } from './definitions/workflows.ts';
