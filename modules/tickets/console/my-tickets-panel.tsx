import { t } from '@keelson/web';
import { TicketLines } from './ticket-lines.tsx';
import { useTimeLeft } from './ticket/look.tsx';

/** The caller's open tickets, earliest due first. */
export default function MyTickets() {
  const next = useTimeLeft() && ({ sort: 'time_left', order: 'asc' } as const);
  return (
    <TicketLines
      title={t('My tickets')}
      asked={{ assigned_to: 'me', status: 'unresolved', ...next }}
      empty={t('No tickets are assigned to you.')}
      all={next ? '/tickets?assigned_to=me&sort=time_left&order=asc' : '/tickets?assigned_to=me'}
      due
    />
  );
}
