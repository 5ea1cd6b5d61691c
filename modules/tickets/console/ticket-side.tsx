import { addressWith, Avatar, Fact, Facts, Link, minutes, Section, Slot, Time, type Data, Phone } from '@keelson/web';
import type { Ticket } from './change.tsx';

type Company = Data<'GET /companies.php?id={id}'>;

export function TicketSide({ ticket, company }: { ticket: Ticket; company: Company | undefined }) {
  return (
    <>
      <Section title="Requester">
        {ticket.requester_name ? (
          <div className="requester">
            <Avatar name={ticket.requester_name} tone="warm" />
            <div>
              <Link href={`/contacts/${ticket.requester_employee_number}`}>
                <b>{ticket.requester_name}</b>
              </Link>
              {ticket.requester_email && <a href={`mailto:${ticket.requester_email}`}>{ticket.requester_email}</a>}
            </div>
          </div>
        ) : (
          <p className="tone-muted">Opened by your own people.</p>
        )}
      </Section>
      <Section title="Company">
        <Facts>
          <Fact name="Name">
            <Link href={`/companies/${ticket.company_number}`}>{ticket.company_name}</Link>
          </Fact>
          <Fact name="Site">{ticket.site_name}</Fact>
          <Fact name="Phone">{company?.phone && <Phone number={company.phone} />}</Fact>
        </Facts>
      </Section>
      <Section title="Work">
        <Facts>
          <Fact name="Category">{ticket.job_type}</Fact>
          <Fact name="Approval">{ticket.approval_status}</Fact>
          <Fact name="Time">{ticket.total_minutes > 0 ? minutes(ticket.total_minutes) : null}</Fact>
          <Fact name="Opened">
            <Time at={ticket.created_at} />
          </Fact>
          <Fact name="Closed">{ticket.closed_at && <Time at={ticket.closed_at} />}</Fact>
          <Fact name="Source">{ticket.source}</Fact>
        </Facts>
      </Section>
      {ticket.assets.length > 0 && (
        <Section title="Assets">
          <ul>
            {ticket.assets.map((each: { asset_id: number; machine_name: string }) => (
              <li key={each.asset_id}>
                <Link href={addressWith('/assets/:quoted', each.asset_id)}>{each.machine_name}</Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Slot name="ticket.side" ticket={ticket} />
    </>
  );
}
