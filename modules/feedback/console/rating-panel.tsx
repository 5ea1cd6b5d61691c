// The requester's rating of a closed ticket.
import { firstRows, Section, Time, usePages, Value, type Data, t } from '@keelson/web';

const SHOWN = 5;

type Ticket = Data<'GET /tickets.php?id={id}'>;

export default function RatingPanel({ ticket: { ticket_id } }: { ticket: Ticket }) {
  const ratings = firstRows(usePages('GET /feedback/ratings.php', { ticket_id }), SHOWN);
  if (ratings.length === 0) return null;
  return (
    <Section title={t('Rating')}>
      {ratings.map((each) => (
        <div key={each.rating_id}>
          <p>
            <Value name="score" value={each.score} row={each} /> {t('by')}{' '}
            {each.requester_name ?? t('a former contact')}, <Time at={each.rated_at} />
          </p>
          {each.comment !== '' && <p className="text">{each.comment}</p>}
        </div>
      ))}
    </Section>
  );
}
