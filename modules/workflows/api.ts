export { Workflow, WorkflowRun } from './entities.ts';
export { createWorkflow, deleteWorkflow, updateWorkflow, type NewWorkflow } from './workflows.ts';
