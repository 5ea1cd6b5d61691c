import {
  created,
  findVisible,
  flat,
  helpdesk,
  input,
  is,
  item,
  list,
  manager,
  pageOf,
  show,
  showOne,
  signedIn,
  z,
} from '@keelson/core';
import { findOwnItem, lockOwnItem, lockOwnMilestone, lockOwnProject } from '../find-one.ts';
import { newItems, optionalComment, question } from '../inputs.ts';
import { PortalMilestoneDetail, readPortalMilestone } from '../milestones/milestone-detail.ts';
import { countUndecided, PortalMilestone, undecided } from '../milestones/milestone-list.ts';
import { approveMilestone, rejectMilestone, requestInfo } from '../milestones/milestone-moves.ts';
import { PortalProjectDetail, readPortalProject } from '../projects/project-detail.ts';
import { PortalProject } from '../projects/project-list.ts';
import { respondToItem, submitItems } from '../punch-list/punch-items.ts';
import { PortalPunchItem } from '../punch-list/punch-list.ts';

const { status, search } = PortalProject.query;

export default [
  helpdesk.get('/projects', {
    title: 'List your company’s projects',
    access: signedIn,
    query: helpdesk.paging({ status, search }, { whole: true }),
    returns: list(PortalProject, 'projects'),
    handle: (ctx, { query }) => pageOf(ctx, PortalProject, query),
  }),
  helpdesk.get('/projects/{project_id}', {
    title: 'Read a project in full',
    access: signedIn,
    returns: item(PortalProjectDetail),
    load: (ctx, { project_id }) => findVisible(ctx, PortalProject, project_id),
    handle: (ctx, { item: project }) => readPortalProject(ctx, project),
  }),
  helpdesk.get('/projects/{project_id}/milestones', {
    title: 'List the milestones of a project',
    access: signedIn,
    query: helpdesk.paging({ status: PortalMilestone.query.status }, { whole: true }),
    returns: list(PortalMilestone, 'milestones'),
    load: (ctx, { project_id }) => findVisible(ctx, PortalProject, project_id),
    handle: (ctx, { item: { project_id }, query }) =>
      pageOf(ctx, PortalMilestone, query, { where: [is('project_id', project_id)] }),
  }),
  helpdesk.get('/milestones/pending', {
    title: 'List the milestones pending approval',
    access: manager,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalMilestone, 'milestones'),
    handle: (ctx, { query }) => pageOf(ctx, PortalMilestone, { ...query, sort: 'requested_at' }, { where: undecided }),
  }),
  helpdesk.get('/milestones/approval-count', {
    title: 'Count the milestones pending approval',
    access: signedIn,
    returns: flat(z.object({ is_manager: z.boolean(), pending_count: z.int() })),
    handle: (ctx) => countUndecided(ctx),
  }),
  helpdesk.get('/milestones/{id}', {
    title: 'Read a milestone with its history',
    access: signedIn,
    returns: item(PortalMilestoneDetail),
    load: (ctx, { id }) => findVisible(ctx, PortalMilestone, id),
    handle: (ctx, { item: milestone }) => readPortalMilestone(ctx, milestone),
  }),
  helpdesk.post('/milestones/{id}/approve', {
    title: 'Approve a milestone',
    access: manager,
    body: optionalComment,
    returns: item(PortalMilestone),
    load: (ctx, { id }) => lockOwnMilestone(ctx, id),
    handle: (ctx, { item: milestone, body }) =>
      showOne(ctx, PortalMilestone, approveMilestone(ctx, milestone, body?.comment)),
  }),
  helpdesk.post('/milestones/{id}/reject', {
    title: 'Reject a milestone',
    access: manager,
    body: z.object({ reason: input.longText() }),
    returns: item(PortalMilestone),
    load: (ctx, { id }) => lockOwnMilestone(ctx, id),
    handle: (ctx, { item: milestone, body }) =>
      showOne(ctx, PortalMilestone, rejectMilestone(ctx, milestone, body.reason)),
  }),
  helpdesk.post('/milestones/{id}/request-info', {
    title: 'Ask for information about a milestone',
    operationId: 'requestMilestoneInfo',
    access: signedIn,
    body: question,
    returns: item(PortalMilestone),
    load: (ctx, { id }) => lockOwnMilestone(ctx, id),
    handle: (ctx, { item: milestone, body }) => showOne(ctx, PortalMilestone, requestInfo(ctx, milestone, body)),
  }),
  helpdesk.get('/projects/{project_id}/punch-list', {
    title: 'List the punch list of a project',
    access: signedIn,
    query: helpdesk.paging({ status: PortalPunchItem.query.status }, { whole: true }),
    returns: list(PortalPunchItem, 'punch_list'),
    load: (ctx, { project_id }) => findVisible(ctx, PortalProject, project_id),
    handle: (ctx, { item: { project_id }, query }) =>
      pageOf(ctx, PortalPunchItem, query, { where: [is('project_id', project_id)] }),
  }),
  helpdesk.post('/projects/{project_id}/punch-list', {
    title: 'Submit punch-list items',
    access: signedIn,
    body: newItems,
    returns: created(PortalPunchItem.shape.partial().extend({ items: z.array(PortalPunchItem.shape) })),
    load: (ctx, { project_id }) => lockOwnProject(ctx, project_id),
    async handle(ctx, { item: project, body: { items, description = '', ...one } }) {
      const rows = await submitItems(ctx, project, items ?? [{ ...one, description }]);
      const shown = await show(ctx, PortalPunchItem, rows);
      return { ...(shown.length === 1 && shown[0]), items: shown };
    },
  }),
  helpdesk.post('/projects/{project_id}/punch-list/{item_id}/respond', {
    title: 'Respond to a punch-list item',
    access: signedIn,
    body: z.object({ response: input.longText(), status: input.optional(input.choice(['accepted', 'rejected'])) }),
    returns: item(PortalPunchItem),
    load: (ctx, path) => lockOwnItem(ctx, path),
    handle: (ctx, { item: found, body }) => showOne(ctx, PortalPunchItem, respondToItem(ctx, found, body)),
  }),
  helpdesk.get('/projects/{project_id}/punch-list/{item_id}', {
    title: 'Read a punch-list item',
    access: signedIn,
    addition: true,
    returns: item(PortalPunchItem),
    load: (ctx, path) => findOwnItem(ctx, path),
    handle: (ctx, { item: found }) => showOne(ctx, PortalPunchItem, found),
  }),
];
