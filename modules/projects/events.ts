import { event, eventData, findOr404, z, type EventRecord, type OutOf } from '@keelson/core';
import { milestoneNoun, SharedMilestone } from './milestones/milestone-list.ts';
import { projectNoun, SharedProject } from './projects/project-list.ts';
import { PunchItemFacts, punchItemNoun } from './punch-list/punch-list.ts';

const milestone: EventRecord<OutOf<typeof SharedMilestone>> = {
  type: 'milestone',
  read: async (ctx, id) => eventData(ctx, SharedMilestone, await findOr404(ctx, milestoneNoun, id)),
};
const project: EventRecord<OutOf<typeof SharedProject>> = {
  type: 'project',
  read: async (ctx, id) => eventData(ctx, SharedProject, await findOr404(ctx, projectNoun, id)),
};
const item: EventRecord<OutOf<typeof PunchItemFacts>> = {
  type: 'punch_item',
  id: 'item_id',
  read: async (ctx, id) => eventData(ctx, PunchItemFacts, await findOr404(ctx, punchItemNoun, id)),
};
const ofMilestone = { webhook: 'admin', record: milestone } as const;
const ofItem = { webhook: 'admin', record: item } as const;

export const ProjectCompleted = event('project.completed', SharedProject.shape, { webhook: 'admin', record: project });

/** Emitted when a milestone awaits the customer's decision: first, again, or with an answer to a question. */
export const MilestoneSubmitted = event('milestone.submitted', SharedMilestone.shape, ofMilestone);
export const MilestoneApproved = event('milestone.approved', SharedMilestone.shape, ofMilestone);
export const MilestoneRejected = event('milestone.rejected', SharedMilestone.shape, ofMilestone);
export const MilestoneInfoRequested = event('milestone.info_requested', SharedMilestone.shape, ofMilestone);

export const PunchItemSubmitted = event('punch_item.submitted', PunchItemFacts.shape, ofItem);
/** Emitted when the provider has finished an item; the submitter is asked to review it. */
export const PunchItemReady = event('punch_item.ready', PunchItemFacts.shape, ofItem);
/** Emitted when the customer responds; `status` shows whether they accept the item. */
export const PunchItemAnswered = event('punch_item.answered', PunchItemFacts.shape, ofItem);

/** Emitted for items submitted in one request, about which the project manager is notified once. */
export const PunchListSubmitted = event(
  'punch_list.submitted',
  z.object({ project_id: z.int(), item_ids: z.array(z.int()).min(1) }),
);

export default [
  ProjectCompleted,
  MilestoneSubmitted,
  MilestoneApproved,
  MilestoneRejected,
  MilestoneInfoRequested,
  PunchItemSubmitted,
  PunchItemReady,
  PunchItemAnswered,
  PunchListSubmitted,
];
