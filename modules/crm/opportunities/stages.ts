// The pipeline: the stages an opportunity goes through, and where won and lost ones end (C-13 to C-16).
import { conflict, invalid, readDropdown, type Context } from '@keelson/core';
import { PipelineStages } from '../dropdowns.ts';
import type { Opportunity, OpportunityStatus } from './entities.ts';

export const WON = 'closed_won';
export const LOST = 'closed_lost';

/** How far an opportunity is: all four always fit each other. */
export type Standing = Pick<Opportunity, 'stage' | 'open_stage' | 'status' | 'probability'>;

export interface Wish {
  readonly stage?: string | undefined;
  readonly status?: OpportunityStatus | undefined;
  readonly probability?: number | undefined;
}

/** The open stages in their order; those an administrator switched off are not offered any more (ST-05). */
export async function readOpenStages(ctx: Context): Promise<string[]> {
  const listed = (await readDropdown(ctx, PipelineStages)).filter((each) => each.active).map((each) => each.value);
  return listed.filter((each) => !isSame(each, WON) && !isSame(each, LOST));
}

/** A stage's name as it is stored, whatever its case, blanks and hyphens; undefined when there is none. */
export async function findStage(ctx: Context, text: string): Promise<string | undefined> {
  const all = [...(await readOpenStages(ctx)), WON, LOST];
  return all.find((each) => isSame(each, text));
}

/** Where a new opportunity stands: at the first stage, unless one is named. */
export async function firstStanding(ctx: Context, { stage, probability }: Wish): Promise<Standing> {
  const [first] = await readOpenStages(ctx);
  if (first === undefined) throw conflict('No pipeline stage is defined');
  const named = stage === undefined ? first : await requireStage(ctx, stage);
  return standingAt(ctx, named, first, probability);
}

/**
 * Where an opportunity stands after a change; undefined when the change does not move it.
 * @throws invalid() for an unknown stage, or a stage and a status that contradict each other; conflict() for a move
 *   from won to lost or back (M-23)
 */
export async function movedStanding(ctx: Context, before: Opportunity, wish: Wish): Promise<Standing | undefined> {
  // Clients send back what they read: only what differs is a wish.
  const stage = wish.stage === undefined || isSame(wish.stage, before.stage) ? undefined : wish.stage;
  const status = wish.status === before.status ? undefined : wish.status;
  const probability = wish.probability === before.probability ? undefined : wish.probability;
  const wanted = stage === undefined ? stageOf(before, status) : await requireStage(ctx, stage);
  if (status !== undefined && statusOf(wanted) !== status) throw invalid(`status ${status} does not fit the stage`);
  if (before.status !== 'open' && statusOf(wanted) !== 'open' && wanted !== before.stage)
    throw conflict(`status may not go from ${before.status} to ${statusOf(wanted)}: reopen it first`);
  if (wanted !== before.stage) return standingAt(ctx, wanted, before.open_stage, probability);
  return probability === undefined || before.status !== 'open' ? undefined : { ...before, probability };
}

/** The next stage; from the last one the opportunity is won (C-14). */
export async function nextStanding(ctx: Context, before: Opportunity): Promise<Standing> {
  if (before.status !== 'open') throw conflict(`A ${before.status} opportunity has no next stage`);
  const stages = await readOpenStages(ctx);
  const at = stages.findIndex((each) => isSame(each, before.stage));
  if (at < 0) throw conflict('stage is no longer part of the pipeline: set another one');
  return standingAt(ctx, stages[at + 1] ?? WON, before.open_stage, undefined);
}

async function standingAt(
  ctx: Context,
  stage: string,
  lastOpen: string,
  probability: number | undefined,
): Promise<Standing> {
  const status = statusOf(stage);
  if (status !== 'open') return { stage, open_stage: lastOpen, status, probability: status === 'won' ? 100 : 0 };
  return {
    stage,
    open_stage: stage,
    status,
    probability: probability ?? usualChance(await readOpenStages(ctx), stage),
  };
}

function statusOf(stage: string): OpportunityStatus {
  if (stage === WON) return 'won';
  return stage === LOST ? 'lost' : 'open';
}

/** The stage that a change of the status alone leads to. */
function stageOf(before: Opportunity, status: OpportunityStatus | undefined): string {
  if (status === undefined || status === before.status) return before.stage;
  if (status === 'open') return before.open_stage;
  return status === 'won' ? WON : LOST;
}

async function requireStage(ctx: Context, text: string): Promise<string> {
  const stage = await findStage(ctx, text);
  if (stage !== undefined) return stage;
  throw invalid(`stage must be one of: ${[...(await readOpenStages(ctx)), WON, LOST].join(', ')}`);
}

/** 10, 25, 40, 60, 80 for the usual five; other pipelines climb evenly from 10 to 80 (C-11). */
function usualChance(stages: readonly string[], stage: string): number {
  const at = stages.indexOf(stage);
  if (stages.length === 5) return [10, 25, 40, 60, 80][at] ?? 10;
  return stages.length < 2 || at < 0 ? 10 : Math.round(10 + (70 * at) / (stages.length - 1));
}

function isSame(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(stage: string): string {
  return stage
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}
