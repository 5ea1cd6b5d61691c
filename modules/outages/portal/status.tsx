// Status page of the portal: services, current outages and planned windows.
import { Badge, Bones, Card, Empty, Failed, Line, Lines, Sheet, Time, useItem, type Tone, rich, t } from '@keelson/web';
import type { Outage } from './status-panel.tsx';

const states: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  operating_normally: { title: t('Works'), tone: 'ok' },
  maintenance: { title: t('Maintenance'), tone: 'info' },
  outage: { title: t('Problem'), tone: 'danger' },
};

interface Service {
  readonly service_id: number;
  readonly service_name: string;
  readonly status: string;
  readonly since: string | null;
}

export default function Status() {
  const { data, error, refetch } = useItem('GET /status');
  const services: readonly Service[] = data?.services ?? [];
  const outages: readonly Outage[] = data?.outages ?? [];
  const of = (status: Outage['status']) => outages.filter((each) => each.status === status);
  return (
    <Sheet title={t('Status')}>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={8} />}
      {of('active').map((each) => (
        <Card
          key={each.outage_id}
          title={`${each.service_name}: ${each.title}`}
          act={<Badge tone="danger">{t('Now')}</Badge>}
        >
          <p className="text">{each.description}</p>
          {each.notes && <p className="text">{each.notes}</p>}
          <p className="tone-muted">
            {rich('Since {started_at}, last update {updated_at}', {
              started_at: <Time at={each.started_at} form="moment" />,
              updated_at: <Time at={each.updated_at} />,
            })}
          </p>
        </Card>
      ))}
      {services.length > 0 && (
        <Lines title={t('Services')}>
          {services.map(({ service_id, service_name, status, since }) => (
            <Line
              key={service_id}
              title={service_name}
              about={[since && status !== 'operating_normally' && <Time key="since" at={since} />]}
              end={<Badge tone={states[status]?.tone ?? 'muted'}>{states[status]?.title ?? status}</Badge>}
            />
          ))}
        </Lines>
      )}
      {of('scheduled').length > 0 && (
        <Lines title={t('Planned')}>
          {of('scheduled').map((each) => (
            <Line
              key={each.outage_id}
              title={each.title}
              about={[
                each.service_name,
                <Time key="start" at={each.scheduled_start} form="moment" />,
                each.scheduled_end && (
                  <span key="end">
                    {rich('until {scheduled_end}', { scheduled_end: <Time at={each.scheduled_end} form="moment" /> })}
                  </span>
                ),
              ]}
            >
              <p className="line-text">{each.description}</p>
            </Line>
          ))}
        </Lines>
      )}
      {data && services.length === 0 && <Empty icon="activity" title={t('No services to show.')} />}
    </Sheet>
  );
}
