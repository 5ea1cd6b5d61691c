// Preview of a bulk action, ticket by ticket, without performing it.
import { is, pageOf, view, z, type Admin, type Context, type OutOf } from '@keelson/core';
import { CompanyNames, TechnicianNames } from '@keelson/modules/directory';
import { refusedClosings } from '../ticket/closing.ts';
import { TicketNoun } from '../ticket/list.ts';
import { checkBulk, tagRefusal, valuesAfter, type BulkRequest } from './bulk.ts';

const value = z.union([z.string(), z.int(), z.array(z.string())]).nullable();
const fields = ['assigned_to', 'priority', 'status', 'tags'] as const;

const Previewed = z.object({
  ticket_id: z.int(),
  ticket_number: z.int().nullable(),
  subject: z.string(),
  company_name: z.string(),
  /** The changes; null if the action deletes the ticket or is rejected. Technicians are shown by name. */
  field: z.enum(fields).nullable(),
  before: value,
  after: value,
  outcome: z.enum(['changes', 'stays', 'refused']),
  error: z.string().nullable(),
});
type Previewed = z.infer<typeof Previewed>;

export const BulkPreview = z.object({ changes: z.int(), tickets: z.array(Previewed) });

// Exclude descriptions, because 500 of them may be long.
const Changeable = view(TicketNoun, {
  only: ['ticket_id', 'ticket_number', 'subject', 'status', 'priority', 'assigned_to', 'tags'],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});
type Changeable = OutOf<typeof Changeable>;

/**
 * Returns what a bulk action would change.
 * @throws forbidden() or invalid(), like the action itself
 */
export async function previewTickets(ctx: Context<Admin>, request: BulkRequest): Promise<z.infer<typeof BulkPreview>> {
  await checkBulk(ctx, request);
  const ids = request.ticket_ids;
  const page = { sort: 'ticket_id', page: 1, size: ids.length };
  const { rows } = await pageOf(ctx, Changeable, page, { where: [is('ticket_id', [...ids])], total: ids.length });
  const known = new Map(rows.map((each) => [each.ticket_id, each]));
  const assigned = [request.assigned_to, ...rows.map((each) => each.assigned_to)].filter(
    (each) => typeof each === 'number',
  );
  const people = await ctx.app.names.get(ctx.db, TechnicianNames, [...new Set(assigned)]);
  const nameOf = (field: string, of: unknown) =>
    field === 'assigned_to' && typeof of === 'number' ? (people.get(of) ?? '') : (of as Previewed['before']);
  const { status } = valuesAfter(request, { tags: null });
  const refused = await refusedClosings(ctx, rows, status);
  const tickets = ids.map((id) => previewOf(request, id, known.get(id), refused, nameOf));
  return { changes: tickets.filter(({ outcome }) => outcome === 'changes').length, tickets };
}

function previewOf(
  request: BulkRequest,
  ticket_id: number,
  ticket: Changeable | undefined,
  refused: ReadonlyMap<number, string>,
  nameOf: (field: string, of: unknown) => Previewed['before'],
): Previewed {
  const { ticket_number = null, subject = '', company_name } = ticket ?? {};
  const named = { ticket_id, ticket_number, subject, company_name: company_name ?? '' };
  const nothing = { field: null, before: null, after: null };
  const refusal = ticket ? (tagRefusal(request, ticket)[0]?.[1] ?? refused.get(ticket_id)) : 'Ticket not found';
  if (!ticket || refusal !== undefined) return { ...named, ...nothing, outcome: 'refused', error: refusal ?? null };
  const values = valuesAfter(request, ticket);
  const field = fields.find((each) => values[each] !== undefined);
  if (!field) return { ...named, ...nothing, outcome: 'changes', error: null };
  const none = field === 'tags' ? [] : null;
  const [before, after] = [ticket[field] ?? none, values[field] ?? none];
  const stays = JSON.stringify(before) === JSON.stringify(after);
  return {
    ...named,
    field,
    before: nameOf(field, before),
    after: nameOf(field, after),
    outcome: stays ? 'stays' : 'changes',
    error: null,
  };
}
