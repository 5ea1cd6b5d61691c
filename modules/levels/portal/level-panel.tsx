// When a customer can expect a reply and a resolution.
import { Card, Fact, Facts, Time, useItem, type Row, rich, t } from '@keelson/web';

type Level = Row<'GET /tickets/{id}/service-levels'>;

const titles: Readonly<Record<Level['kind'], string>> = {
  response: t('First reply'),
  next_response: t('Next reply'),
  resolution: t('Solution'),
};

export default function LevelPanel({ ticket: { ticket_id } }: { ticket: { ticket_id: number } }) {
  const { data } = useItem('GET /tickets/{id}/service-levels', { id: ticket_id });
  const levels = data?.service_levels ?? [];
  if (levels.length === 0) return null;
  return (
    <Card title={t('Service level')}>
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
  if (met_at) return <>{rich('Done {met_at}', { met_at: <Time at={met_at} /> })}</>;
  if (paused) return <>{t('Paused')}</>;
  return due_at && <Time at={due_at} form="moment" />;
}
