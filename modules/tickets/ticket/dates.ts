import { invalid } from '@keelson/core';
import type { Ticket } from '../entities.ts';

type Dates = Pick<Ticket, 'start_date' | 'due_date'>;

/** Checks that a ticket is not due before it starts. @throws invalid() naming a field that changes */
export function checkDates(wanted: Partial<Dates>, before: Dates = { start_date: null, due_date: null }): void {
  const { start_date = before.start_date, due_date = before.due_date } = wanted;
  if (start_date === null || due_date === null || due_date >= start_date) return;
  if (due_date !== before.due_date) throw invalid('due_date must not be before start_date');
  if (start_date !== before.start_date) throw invalid('start_date must not be after due_date');
}
