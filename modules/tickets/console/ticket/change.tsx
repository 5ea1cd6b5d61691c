// Ticket changes with optimistic updates, rollback on refusal, and undo.
import {
  call,
  queries,
  stale,
  toast,
  useAllRows,
  useItem,
  useMay,
  type Args,
  type Data,
  toastError,
  t,
} from '@keelson/web';
import { priorities, statuses, type Priority, type Status } from './look.tsx';

export const READ = 'GET /tickets.php?id={id}';
export const LIST = 'GET /tickets.php';
export const touched = ['/tickets.php', '/bulk/tickets.php'];

export type Ticket = Data<typeof READ>;

export interface TicketChange {
  readonly status?: Status;
  readonly priority?: number;
  readonly assigned_to?: number | null;
  /** Together with the status closed: also closes the open child tickets. */
  readonly close_children?: true;
}

/** Editable ticket fields other than those in `TicketChange`. */
export type TicketEdit = Omit<NonNullable<Args<'PUT /tickets.php?id={id}'>['body']>, keyof TicketChange>;

export interface Shown {
  readonly ticket_id: number;
  readonly status: string;
  readonly priority: number;
  readonly assigned_to: number | null;
  readonly assigned_name: string | null;
}

/** Returns the technicians who can be assigned. */
export const useTechnicians = () => useItem('GET /tech-status.php').data ?? [];

/** Returns the teams that tickets can be assigned to. */
export function useTeams(wanted = true) {
  const reads = useMay()('teams:read');
  return useAllRows('GET /teams.php', {}, { enabled: wanted && reads }).rows;
}

/** Changes one ticket and offers undo in a toast. */
export async function changeTicket(
  ticket: Shown,
  change: TicketChange,
  names?: { assigned_name: string | null },
): Promise<void> {
  const before: TicketChange = Object.fromEntries(
    Object.keys(change)
      .filter((name) => name !== 'close_children')
      .map((name) => [name, ticket[name as keyof Shown]]),
  );
  const undo = show(ticket.ticket_id, { ...change, ...names });
  try {
    await call('PUT /tickets.php?id={id}', { id: ticket.ticket_id, body: change });
    toast(said(change, names), {
      act: {
        title: t('Undo'),
        run: () =>
          void changeTicket({ ...ticket, ...change } as Shown, before, { assigned_name: ticket.assigned_name }),
      },
    });
  } catch (error) {
    undo();
    toastError(error);
  }
  await stale(queries, touched);
}

/** Edits fields of a ticket and offers to restore `before` in a toast. Rejects when the server refuses. */
export async function editTicket(id: number, edit: TicketEdit, before: TicketEdit, said: string): Promise<void> {
  await call('PUT /tickets.php?id={id}', { id, body: edit });
  await stale(queries, [...touched, '/assets.php']);
  const undo = () => void editTicket(id, before, edit, t('Reverted')).catch(toastError);
  toast(said, { act: { title: t('Undo'), run: undo } });
}

/** What may be cached of tickets: one, or a page of a list. */
interface Cached {
  readonly ticket_id?: number;
  readonly rows?: readonly Shown[] | undefined;
}

/** Writes a change into every cached response that shows the ticket. Returns a function that restores them. */
export function show(id: number, change: Readonly<Record<string, unknown>>): () => void {
  const before = queries
    .getQueriesData<Cached>({ predicate: ({ queryKey: [key] }) => String(key).includes('/tickets.php') })
    .filter(([, data]) => data?.ticket_id === id || data?.rows?.some((row) => row.ticket_id === id));
  for (const [key, data] of before) queries.setQueryData(key, changed(data, id, change));
  return () => before.forEach(([key, data]) => queries.setQueryData(key, data));
}

function changed(data: Cached | undefined, id: number, change: object): Cached {
  if (data?.ticket_id === id) return { ...data, ...change };
  return { ...data, rows: data?.rows?.map((row) => (row.ticket_id === id ? { ...row, ...change } : row)) };
}

function said({ status, priority }: TicketChange, names?: { assigned_name: string | null }): string {
  if (status) return t('Status: {status}', { status: statuses[status].title });
  if (priority) return t('Priority: {priority}', { priority: priorities[priority as Priority] });
  return names?.assigned_name ? t('Assigned to {name}', { name: names.assigned_name }) : t('Unassigned');
}
