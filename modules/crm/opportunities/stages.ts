// The pipeline: the stages of an opportunity until it is won or lost (C-13 to C-16).
import { conflict, invalid, readDropdown, type Context } from '@keelson/core';
import { PipelineStages } from '../dropdowns.ts';
import type { Opportunity, OpportunityStatus } from './entities.ts';

export const WON = 'closed_won';
export const LOST = 'closed_lost';

/** An opportunity's position in the pipeline. The four columns always change together. */
export type Position = Pick<Opportunity, 'stage' | 'open_stage' | 'status' | 'probability'>;

export interface WantedPosition {
  readonly stage?: string | undefined;
  readonly status?: OpportunityStatus | undefined;
  readonly probability?: number | undefined;
}

/** Returns the open stages in order, without deactivated ones (ST-05). */
export async function readOpenStages(ctx: Context): Promise<string[]> {
  const listed = (await readDropdown(ctx, PipelineStages)).filter((each) => each.active).map((each) => each.value);
  return listed.filter((each) => !isSame(each, WON) && !isSame(each, LOST));
}

/** Returns the stage's stored name, ignoring case, blanks, hyphens and underscores. */
export async function findStage(ctx: Context, text: string): Promise<string | undefined> {
  const all = [...(await readOpenStages(ctx)), WON, LOST];
  return all.find((each) => isSame(each, text));
}

/** Returns the position of a new opportunity: the first stage by default. */
export async function initialPosition(ctx: Context, { stage, probability }: WantedPosition): Promise<Position> {
  const [first] = await readOpenStages(ctx);
  if (first === undefined) throw conflict('No pipeline stages are defined');
  const named = stage === undefined ? first : await requireStage(ctx, stage);
  return positionAt(ctx, named, first, probability);
}

/**
 * Returns the position after a change, or undefined when the opportunity does not move.
 * @throws invalid() for an unknown stage, or a stage that contradicts the status; conflict() for a move from won to
 * lost or back (M-23)
 */
export async function changedPosition(
  ctx: Context,
  before: Opportunity,
  asked: WantedPosition,
): Promise<Position | undefined> {
  // Clients send back what they have read, so only differing values are changes.
  const stage = asked.stage === undefined || isSame(asked.stage, before.stage) ? undefined : asked.stage;
  const status = asked.status === before.status ? undefined : asked.status;
  const probability = asked.probability === before.probability ? undefined : asked.probability;
  const wanted = stage === undefined ? stageOf(before, status) : await requireStage(ctx, stage);
  if (status !== undefined && statusOf(wanted) !== status) throw invalid(`status ${status} does not match the stage`);
  if (before.status !== 'open' && statusOf(wanted) !== 'open' && wanted !== before.stage)
    throw conflict(`status cannot change from ${before.status} to ${statusOf(wanted)}: reopen it first`);
  if (wanted !== before.stage) return positionAt(ctx, wanted, before.open_stage, probability);
  if (probability === undefined || before.status !== 'open') return undefined;
  const { open_stage } = before;
  return { stage: wanted, open_stage, status: 'open', probability };
}

/** Returns the next stage; after the last open one, the opportunity is won (C-14). */
export async function nextPosition(ctx: Context, before: Opportunity): Promise<Position> {
  if (before.status !== 'open') throw conflict(`A ${before.status} opportunity has no next stage`);
  const stages = await readOpenStages(ctx);
  const at = stages.findIndex((each) => isSame(each, before.stage));
  if (at < 0) throw conflict('stage is no longer part of the pipeline: set another one');
  return positionAt(ctx, stages[at + 1] ?? WON, before.open_stage, undefined);
}

async function positionAt(
  ctx: Context,
  stage: string,
  lastOpenStage: string,
  probability: number | undefined,
): Promise<Position> {
  const status = statusOf(stage);
  if (status !== 'open') return { stage, open_stage: lastOpenStage, status, probability: status === 'won' ? 100 : 0 };
  return {
    stage,
    open_stage: stage,
    status,
    probability: probability ?? defaultProbability(await readOpenStages(ctx), stage),
  };
}

function statusOf(stage: string): OpportunityStatus {
  if (stage === WON) return 'won';
  return stage === LOST ? 'lost' : 'open';
}

/** Returns the stage implied by a change of the status alone. */
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

/** 10, 25, 40, 60, 80 with five stages; other pipelines rise evenly from 10 to 80 (C-11). */
function defaultProbability(stages: readonly string[], stage: string): number {
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
