import { Filter, t } from '@keelson/web';
import { useState } from 'react';
import { TicketLines } from './ticket-lines.tsx';
import { statuses } from './ticket/look.tsx';

const choices = {
  unresolved: 'Unresolved',
  ...Object.fromEntries(Object.entries(statuses).map(([value, { title }]) => [value, title])),
};

/** Lists a company's tickets, by default the unresolved ones. */
export default function CompanyTicketsTab({ company: { company_number } }: { company: { company_number: number } }) {
  const [status, setStatus] = useState('unresolved');
  const asked = { company_number, status: (status || 'all') as 'unresolved' };
  return (
    <>
      <div className="filters">
        <Filter label={t('Status')} value={status} choices={choices} onChoose={setStatus} />
      </div>
      <TicketLines
        title={t('Tickets')}
        asked={asked}
        empty={t('No tickets match these filters.')}
        all={`/tickets?status=${asked.status}&company_number=${company_number}`}
        create={`/tickets/new?company=${company_number}`}
        most={50}
      />
    </>
  );
}
