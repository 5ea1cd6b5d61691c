export { Milestone, Project, PunchItem } from './entities.ts';
export {
  MilestoneApproved,
  MilestoneInfoRequested,
  MilestoneRejected,
  MilestoneSubmitted,
  ProjectCompleted,
  PunchItemAnswered,
  PunchItemReady,
  PunchItemSubmitted,
} from './events.ts';
export { lockItem, lockMilestone } from './find-one.ts';
export { approveMilestone, rejectMilestone, requestInfo, submitMilestone } from './milestones/milestone-moves.ts';
export { createMilestone } from './milestones/milestones.ts';
export { createPhase } from './projects/phases.ts';
export { createProject, lockProject, Projects } from './projects/projects.ts';
export { respondToItem, submitItems, updateItem } from './punch-list/punch-items.ts';
