// Ticket status labels for customers.
import { Badge, Time, type IconName, type Row, type Tone, t } from '@keelson/web';

export type TicketRow = Row<'GET /tickets'>;

export const states: Readonly<
  Record<string, { readonly title: string; readonly tone: Tone; readonly icon: IconName }>
> = {
  open: { title: t('Open'), tone: 'info', icon: 'circle' },
  in_progress: { title: t('In progress'), tone: 'warn', icon: 'clock' },
  on_hold: { title: t('On hold'), tone: 'muted', icon: 'circle-pause' },
  closed: { title: t('Done'), tone: 'ok', icon: 'circle-check' },
};

const approvals: typeof states = {
  pending: { title: t('Awaiting approval'), tone: 'warn', icon: 'clock' },
  rejected: { title: t('Not approved'), tone: 'danger', icon: 'circle-alert' },
};

export function State({ ticket }: { ticket: Pick<TicketRow, 'status' | 'approval_status'> }) {
  const state = approvals[ticket.approval_status] ?? states[ticket.status];
  if (!state) return null;
  return (
    <Badge tone={state.tone} icon={state.icon}>
      {state.title}
    </Badge>
  );
}

/** Second line of a ticket in a list. */
export const about = (ticket: TicketRow, own = true) => [
  ticket.ticket_number,
  !own && ticket.requester_name,
  ticket.assigned_tech_name && t('Assigned to {assigned_tech_name}', { assigned_tech_name: ticket.assigned_tech_name }),
  <Time key="at" at={ticket.updated_at} />,
];
