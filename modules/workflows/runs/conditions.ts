// Evaluation of workflow conditions; all must hold (WF-02).
import { secondsBetween } from '@keelson/core';
import type { Condition } from '../definitions/fields.ts';
import type { Facts } from './facts.ts';

export interface JudgedCondition extends Condition {
  /** Current value of the field. */
  readonly actual: unknown;
  readonly holds: boolean;
}

/** Evaluates the conditions; none holds without a record. */
export function judgeConditions(conditions: readonly Condition[], { record, changed }: Facts): JudgedCondition[] {
  return conditions.map((each) => {
    const actual = record?.[each.field] ?? null;
    return { ...each, actual, holds: record !== null && holds(each, actual, changed) };
  });
}

function holds({ field, operator, value }: Condition, actual: unknown, changed: readonly string[]): boolean {
  switch (operator) {
    case 'eq':
      return isEqual(actual, value);
    case 'ne':
      return !isEqual(actual, value);
    case 'in':
      return Array.isArray(value) && value.some((each) => isEqual(actual, each));
    case 'contains':
      return typeof actual === 'string' && actual.toLowerCase().includes(String(value).toLowerCase());
    case 'gt':
      return isGreater(actual, value);
    case 'lt':
      return isGreater(value, actual);
    case 'empty':
      return isEmpty(actual) === (value !== false);
    case 'changed':
      return changed.includes(field) === (value !== false);
  }
}

const MOMENT = /^\d{4}-\d\d-\d\dT/;
const isMoment = (value: unknown): value is string => typeof value === 'string' && MOMENT.test(value);

/** Compares timestamps by value, because milliseconds are optional. */
function isEqual(one: unknown, other: unknown): boolean {
  if (isMoment(one) && isMoment(other)) return secondsBetween(one, other) === 0;
  return one === (other ?? null);
}

function isGreater(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one > other;
  return isMoment(one) && isMoment(other) && secondsBetween(other, one) > 0;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
