import { plus, type Timestamp } from '@keelson/core';
import type { Escalation, EscalationStep } from './entities.ts';

/** Returns the first of the ordered steps that has not run yet. */
export const nextStep = (
  steps: readonly EscalationStep[],
  { last_minutes, last_step }: Pick<Escalation, 'last_minutes' | 'last_step'>,
): EscalationStep | undefined =>
  steps.find(
    ({ after_minutes, step_id }) =>
      after_minutes > last_minutes || (after_minutes === last_minutes && step_id > last_step),
  );

/** Returns when a step of an escalation is due. */
export const dueAt = (started_at: Timestamp, { after_minutes }: Pick<EscalationStep, 'after_minutes'>): Timestamp =>
  plus(started_at, { minutes: after_minutes });
