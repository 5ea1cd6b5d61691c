// Seeds projects for tests.
import { create } from '@keelson/core';
import {
  createMilestone,
  lockProject,
  Projects,
  submitItems,
  submitMilestone,
  type Milestone,
  type Project,
  type PunchItem,
} from '@keelson/modules/projects';
import type { TestApp } from '@keelson/testing';
import { StoredEvent } from '../packages/events/delivery/delivery.ts';
import { unique } from './accounts-seed.ts';

export function seedProject(app: TestApp, given: Partial<Project> & { company_number: number }): Promise<Project> {
  return app.run((ctx) => create(ctx, Projects, { name: unique('Project'), ...given }));
}

type MilestoneSeed = Omit<Parameters<typeof createMilestone>[2], 'name'> & { readonly name?: string };

export function seedMilestone(app: TestApp, project_id: number, given: MilestoneSeed = {}): Promise<Milestone> {
  return app.run(async (ctx) =>
    createMilestone(ctx, await lockProject(ctx, project_id), { name: 'Cabling', ...given }),
  );
}

/** Creates a milestone that awaits the customer's decision. */
export async function seedSubmitted(app: TestApp, project_id: number, given: MilestoneSeed = {}): Promise<Milestone> {
  const milestone = await seedMilestone(app, project_id, given);
  return app.run((ctx) => submitMilestone(ctx, milestone, 'Please look'));
}

export async function seedItem(app: TestApp, project_id: number, description = 'A scratch'): Promise<PunchItem> {
  const [item] = await app.run(async (ctx) => submitItems(ctx, await lockProject(ctx, project_id), [{ description }]));
  if (!item) throw new Error('One item was submitted');
  return item;
}

/** Returns the names of the stored project events, sorted by name. */
export async function projectEvents({ app }: TestApp): Promise<string[]> {
  const rows = await app.database.find(StoredEvent);
  return rows
    .map(({ name }) => name)
    .filter((each) => /^(?:project|milestone|punch_item)\./.test(each))
    .toSorted();
}
