import { t } from '@keelson/web';
import { TicketLines } from './ticket-lines.tsx';

export default function ContactTickets({
  record: { employee_number },
}: {
  record: { employee_number: number; company_number: number };
}) {
  return (
    <TicketLines
      title={t('Tickets')}
      asked={{ employee_number }}
      empty={t('No tickets yet.')}
      all={`/tickets?status=all&employee_number=${employee_number}`}
      create={`/tickets/new?contact=${employee_number}`}
    />
  );
}
