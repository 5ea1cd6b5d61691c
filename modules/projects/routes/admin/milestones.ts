import { admin, created, findOr404, input, is, item, list, nothing, pageOf, remove, showOne, z } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { findMilestone, lockMilestone } from '../../find-one.ts';
import { milestoneFields, optionalComment } from '../../inputs.ts';
import { MilestoneDetail, readMilestone } from '../../milestones/milestone-detail.ts';
import { MilestoneItem } from '../../milestones/milestone-list.ts';
import { submitMilestone } from '../../milestones/milestone-moves.ts';
import { createMilestone, Milestones, refuseApproved, updateMilestone } from '../../milestones/milestones.ts';
import { lockProject, Projects } from '../../projects/projects.ts';

export default [
  admin.get('/projects.php?action=milestones&id={id}', {
    title: 'List a project’s milestones',
    access: ReadTickets,
    addition: true,
    query: admin.paging({ status: MilestoneItem.query.status }),
    returns: list(MilestoneItem),
    load: (ctx, { id }) => findOr404(ctx, Projects, id),
    handle: (ctx, { item: { project_id }, query }) =>
      pageOf(ctx, MilestoneItem, query, { where: [is('project_id', project_id)] }),
  }),
  admin.post('/projects.php?action=milestones&id={id}', {
    title: 'Add a milestone to a project',
    access: WriteTickets,
    addition: true,
    body: z.object(milestoneFields),
    returns: created(MilestoneItem),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: (ctx, { item: project, body }) => showOne(ctx, MilestoneItem, createMilestone(ctx, project, body)),
  }),
  admin.get('/projects.php?action=milestones&id={id}&milestone_id={milestone_id}', {
    title: 'Read a milestone',
    access: ReadTickets,
    addition: true,
    returns: item(MilestoneDetail),
    load: (ctx, path) => findMilestone(ctx, path),
    handle: (ctx, { item: milestone }) => readMilestone(ctx, milestone),
  }),
  admin.put('/projects.php?action=milestones&id={id}&milestone_id={milestone_id}', {
    title: 'Update a milestone',
    access: WriteTickets,
    addition: true,
    body: input.changes(milestoneFields),
    returns: item(MilestoneItem),
    load: (ctx, path) => lockMilestone(ctx, path),
    handle: (ctx, { item: milestone, body }) => showOne(ctx, MilestoneItem, updateMilestone(ctx, milestone, body)),
  }),
  admin.delete('/projects.php?action=milestones&id={id}&milestone_id={milestone_id}', {
    title: 'Delete a milestone',
    access: WriteTickets,
    addition: true,
    returns: nothing(),
    load: (ctx, path) => lockMilestone(ctx, path),
    handle(ctx, { item: milestone }) {
      refuseApproved(milestone);
      return remove(ctx, Milestones, milestone);
    },
  }),
  admin.post('/projects.php?action=submit-milestone&id={id}&milestone_id={milestone_id}', {
    title: 'Submit a milestone for approval',
    access: WriteTickets,
    addition: true,
    body: optionalComment,
    returns: item(MilestoneDetail),
    load: (ctx, path) => lockMilestone(ctx, path),
    handle: async (ctx, { item: milestone, body }) =>
      readMilestone(ctx, await submitMilestone(ctx, milestone, body?.comment)),
  }),
];
