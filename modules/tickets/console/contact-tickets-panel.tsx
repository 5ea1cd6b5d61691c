import { TicketLines } from './ticket-lines.tsx';

export default function ContactTickets({
  record: contact,
}: {
  record: { employee_number: number; company_number: number; first_name: string; last_name: string };
}) {
  const search = `${contact.first_name} ${contact.last_name}`;
  return (
    <TicketLines
      title="Tickets that name them"
      asked={{ company_number: contact.company_number, search }}
      empty="No tickets."
      all={`/tickets?status=all&company_number=${contact.company_number}&search=${encodeURIComponent(search)}`}
    />
  );
}
