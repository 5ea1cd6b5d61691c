import { Ticket } from './ticket/ticket.tsx';

export default function TicketPage({ params }: { params: { id: string } }) {
  return <Ticket id={Number(params.id)} />;
}
