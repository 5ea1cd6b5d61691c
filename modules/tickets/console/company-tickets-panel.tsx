import { t } from '@keelson/web';
import { TicketLines } from './ticket-lines.tsx';

export default function CompanyTickets({ company }: { company: { company_number: number } }) {
  const { company_number } = company;
  return (
    <TicketLines
      title={t('Tickets')}
      asked={{ company_number }}
      empty={t('No tickets yet.')}
      all={`/tickets?status=all&company_number=${company_number}`}
      create={`/tickets/new?company=${company_number}`}
    />
  );
}
