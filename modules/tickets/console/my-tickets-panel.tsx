import { TicketLines } from './ticket-lines.tsx';

export default function MyTickets() {
  return (
    <TicketLines
      title="My tickets"
      asked={{ assigned_to: 'me', status: 'unresolved' }}
      empty="Nothing waits for you."
      all="/tickets?assigned_to=me"
    />
  );
}
