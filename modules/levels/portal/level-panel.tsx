// When a customer can expect a reply and a solution.
import { Card, Fact, Facts, Time, useItem, type Row } from '@keelson/web';

type Level = Row<'GET /tickets/{id}/service-levels'>;

const titles: Readonly<Record<Level['kind'], string>> = {
  response: 'First reply',
  next_response: 'Next reply',
  resolution: 'Solution',
};

export default function LevelPanel({ ticket: { ticket_id } }: { ticket: { ticket_id: number } }) {
  const { data } = useItem('GET /tickets/{id}/service-levels', { id: ticket_id });
  const levels = data?.service_levels ?? [];
  if (levels.length === 0) return null;
  return (
    <Card title="Service level">
      <Facts>
        {levels.map((each: Level) => (
          <Fact key={each.kind} name={titles[each.kind]}>
            <Said of={each} />
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

function Said({ of: { due_at, paused, met_at } }: { of: Level }) {
  if (met_at)
    return (
      <>
        Done <Time at={met_at} />
      </>
    );
  if (paused) return <>Paused</>;
  return due_at && <Time at={due_at} form="moment" />;
}
