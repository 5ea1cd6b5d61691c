// Statements: one per month with movements, newest first (B-12).
import { by, fromMinor, is, noun, pageOf, restrict, view, z, type Context } from '@keelson/core';
import { ownCompany } from '../visible.ts';
import { Statement } from './entities.ts';

const StatementNoun = noun(Statement, { title: 'Statement', sorts: { month: by('month') } });

/** A statement in lists (F-35). */
export const StatementItem = view(StatementNoun, {
  only: ['statement_id'],
  more: (its) => ({
    statement_number: its.from(z.string(), ['month', 'statement_id'], numberOf),
    company_number: its.column('company_number'),
    period_start: its.from(z.iso.date(), ['month'], ({ month }) => `${month}-01`),
    period_end: its.from(z.iso.date(), ['month'], ({ month }) => `${month}-${lastDay(month)}`),
    opening_balance: its.from(z.number(), ['opening_minor'], (row) => fromMinor(row.opening_minor)),
    charges: its.from(z.number(), ['charges_minor'], (row) => fromMinor(row.charges_minor)),
    payments: its.from(z.number(), ['payments_minor'], (row) => fromMinor(row.payments_minor)),
    closing_balance: its.from(z.number(), ['closing_minor'], (row) => fromMinor(row.closing_minor)),
    currency: its.column('currency'),
    generated_at: its.column('generated_at'),
  }),
});
export const PortalStatement = restrict(StatementItem, ownCompany);

export const statementsOf = (ctx: Context, company_number: number, asked: { page: number; size: number }) =>
  pageOf(ctx, StatementItem, asked, { where: [is('company_number', company_number)] });

/** Returns the number, ST-202611-000012, from the month and the id. */
function numberOf({ month, statement_id }: Pick<Statement, 'month' | 'statement_id'>): string {
  return `ST-${month.replace('-', '')}-${String(statement_id).padStart(6, '0')}`;
}

const longMonths: ReadonlySet<string> = new Set(['01', '03', '05', '07', '08', '10', '12']);

function lastDay(month: string): number {
  const [year, n = ''] = month.split('-');
  if (n !== '02') return longMonths.has(n) ? 31 : 30;
  const y = Number(year);
  return (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0 ? 29 : 28;
}
