// Tickets for bulk data, in creation order.
import { plus, type Timestamp } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { ticketIdOf, type Status, type Ticket } from '@keelson/modules/tickets';
import { description, numbers, subject } from './seed-words.ts';

export interface Cast {
  readonly companies: readonly number[];
  readonly sites: ReadonlyMap<number, readonly number[]>;
  readonly employees: ReadonlyMap<number, readonly number[]>;
  readonly technicians: readonly number[];
}

interface Wanted {
  readonly cast: Cast;
  readonly tickets: number;
  /** The number of the first ticket. */
  readonly first: number;
  readonly now: Timestamp;
}

const DAYS = 3 * 365;
const jobTypes = ['General', 'Hardware', 'Software', 'Network', 'Email', 'Security', 'Access Request'] as const;

/** Yields the rows, oldest first, spread over three years. */
export function* ticketRows({ cast, tickets, first, now }: Wanted): Generator<New<typeof Ticket>, undefined> {
  const next = numbers(5);
  const secondsApart = (DAYS * 86_400) / tickets;
  const started = plus(now, { days: -DAYS });
  const one = (from: readonly number[] = []): number | null => from[Math.floor(next() * from.length)] ?? null;
  for (let i = 0; i < tickets; i++) {
    const company_number = one(cast.companies) ?? 0;
    const status = statusOf(next());
    const created_at = plus(started, { seconds: (i + next()) * secondsApart });
    const later = plus(created_at, { seconds: 600 + next() ** 4 * 1_000_000 });
    const updated_at = later < now ? later : now;
    yield {
      ticket_id: ticketIdOf(first + i),
      ticket_number: first + i,
      subject: subject(next),
      description: description(next),
      status,
      priority: 1 + Math.floor((next() + next()) * 2.5),
      job_type: jobTypes[Math.floor(next() ** 2 * jobTypes.length)] ?? 'General',
      company_number,
      site_number: one(cast.sites.get(company_number)),
      requester_employee_number: one(cast.employees.get(company_number)),
      assigned_to: next() < 0.85 ? one(cast.technicians) : null,
      source: next() < 0.6 ? 'portal' : 'admin',
      created_at,
      updated_at,
      closed_at: status === 'closed' ? updated_at : null,
    };
  }
  return undefined;
}

/** 2 % open, 1 % in progress, 0.5 % on hold, the rest closed. */
function statusOf(chance: number): Status {
  if (chance < 0.02) return 'open';
  if (chance < 0.03) return 'in_progress';
  return chance < 0.035 ? 'on_hold' : 'closed';
}
