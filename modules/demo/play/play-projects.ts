// Adds the demo's projects, each step by its author and at its time in the past.
import { dayOf, plus, type App, type Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { employeeName } from '@keelson/core/surfaces';
import { contextOf } from '@keelson/core/system';
import {
  approveMilestone,
  createMilestone,
  createPhase,
  createProject,
  lockMilestone,
  lockItem,
  lockProject,
  rejectMilestone,
  requestInfo,
  respondToItem,
  submitItems,
  submitMilestone,
  updateItem,
} from '@keelson/modules/projects';
import type { Customer, Staff } from '../people.ts';
import stories, {
  type ItemStory,
  type MilestoneStory,
  type MoveStory,
  type ProjectStory,
} from '../stories/story-projects.ts';

type Speaker = MoveStory['by'];

interface Stage {
  /** Runs `work` as a person, `days_ago` days ago. */
  as<R>(who: Speaker, days_ago: number, work: (ctx: Context) => Promise<R>): Promise<R>;
  /** Returns a day relative to today. */
  day(days: number): string;
}

export async function playProjects(app: App, { staff, customer }: { staff: Staff; customer: Customer }): Promise<void> {
  const stage = stageOf(app, staff, customer);
  for (const story of stories) await playProject(stage, { staff, customer }, story);
}

function stageOf(app: App, { technician }: Staff, customer: Customer): Stage {
  const now = app.clock.now();
  const authorOf = (who: Speaker): Author =>
    who === 'technician'
      ? { type: 'technician', id: technician.user_id, name: technician.name }
      : { type: 'employee', id: customer[who].employee_number, name: employeeName(customer[who]) };
  return {
    as: (who, days, work) =>
      contextOf({ app, actor: undefined, author: authorOf(who), now: plus(now, { days: -days }) }).transaction(work),
    day: (days) => dayOf(plus(now, { days })),
  };
}

async function playProject(
  stage: Stage,
  { staff, customer }: { staff: Staff; customer: Customer },
  { phases, items = [], started_days_ago, due_in_days, ...story }: ProjectStory,
): Promise<void> {
  const { project_id } = await stage.as('technician', started_days_ago, (ctx) =>
    createProject(ctx, {
      ...story,
      company_number: customer.company.company_number,
      project_manager_id: staff.technician.user_id,
      status: 'active',
      start_date: stage.day(-started_days_ago),
      due_date: stage.day(due_in_days),
    }),
  );
  let from = -started_days_ago;
  for (const [sort_order, { name, milestones }] of phases.entries()) {
    const until = Math.max(from, ...milestones.map((each) => each.due_in_days));
    const dates = { start_date: stage.day(from), due_date: stage.day(until) };
    const done = milestones.every((each) => each.moves?.at(-1)?.does === 'approve');
    const status = done ? 'completed' : from > 0 ? 'pending' : 'active';
    from = until;
    const { phase_id } = await stage.as('technician', started_days_ago, async (ctx) =>
      createPhase(ctx, await lockProject(ctx, project_id), { name, sort_order, status, ...dates }),
    );
    for (const each of milestones) await playMilestone(stage, { project_id, phase_id, started_days_ago }, each);
  }
  for (const each of items) await playItem(stage, project_id, each);
}

async function playMilestone(
  stage: Stage,
  { project_id, phase_id, started_days_ago }: { project_id: number; phase_id: number; started_days_ago: number },
  { due_in_days, moves = [], ...story }: MilestoneStory,
): Promise<void> {
  const { milestone_id } = await stage.as('technician', started_days_ago, async (ctx) => {
    const given = { ...story, phase_id, due_date: stage.day(due_in_days) };
    return createMilestone(ctx, await lockProject(ctx, project_id), given);
  });
  for (const { by, days_ago, does, says } of moves)
    await stage.as(by, days_ago, async (ctx) =>
      acts[does](ctx, await lockMilestone(ctx, { id: project_id, milestone_id }), says),
    );
}

const acts = { submit: submitMilestone, approve: approveMilestone, reject: rejectMilestone, ask: requestInfo };

async function playItem(stage: Stage, project_id: number, story: ItemStory): Promise<void> {
  const { days_ago, steps = [], feedback, answer, ...given } = story;
  const [item] = await stage.as('employee', days_ago, async (ctx) =>
    submitItems(ctx, await lockProject(ctx, project_id), [given]),
  );
  const path = { id: project_id, item_id: item?.item_id ?? 0 };
  for (const [i, status] of steps.entries())
    await stage.as('technician', days_ago - 1 - i, async (ctx) =>
      updateItem(ctx, await lockItem(ctx, path), { status, ...(i === steps.length - 1 && { feedback }) }),
    );
  if (answer)
    await stage.as('employee', days_ago - 1 - steps.length, async (ctx) =>
      respondToItem(ctx, await lockItem(ctx, path), answer),
    );
}
