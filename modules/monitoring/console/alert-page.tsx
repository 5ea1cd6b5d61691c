// Alert page: the problem, the affected machine and possible actions.
import {
  Badge,
  Button,
  Card,
  Fact,
  Facts,
  Link,
  Menu,
  LinkButton,
  RecordName,
  RecordPage,
  RecordPending,
  Section,
  Time,
  toast,
  toneOf,
  useChange,
  useExplained,
  useItem,
  useMay,
  words,
  type Data,
  t,
} from '@keelson/web';
import { OtherAlerts } from './other-alerts.tsx';

const READ = 'GET /monitoring/alerts.php?id={id}';
export type Alert = Data<typeof READ>;

const back = { to: '/alerts', title: t('Back to alerts') };

export default function AlertPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: alert, error, refetch } = useItem(READ, { id });
  const may = useMay();
  const acknowledge = useChange('POST /monitoring/alerts.php?action=acknowledge&id={id}', {
    touches: ['/monitoring/alerts.php'],
    done: () => toast(t('Acknowledged')),
  });
  const mute = useChange('POST /monitoring/alerts.php?action=mute&id={id}', {
    touches: ['/monitoring/alerts.php', '/monitoring/alert-groups.php'],
    done: ({ muted_until }) => toast(muted_until ? t('Muted') : t('Unmuted')),
  });
  const message = useExplained(alert?.message ?? '');
  if (error || !alert)
    return <RecordPending title={t('Alert')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      title={words(alert.alert_type)}
      back={back}
      badge={<Badge tone={toneOf(alert.status, 'alert')}>{words(alert.status)}</Badge>}
      acts={
        <>
          {may('tickets:write') && alert.company_number && (
            <LinkButton to={ticketFor(alert, message)} icon="plus">
              {t('Create ticket')}
            </LinkButton>
          )}
          {may('assets:write') && alert.status !== 'resolved' && (
            <Menu
              label={t('Mute')}
              choices={alert.muted_until ? [{ value: 0, label: t('Unmute') }, ...spans] : spans}
              onChoose={(minutes) => mute.mutate({ id, body: { minutes } })}
              disabled={mute.isPending}
            >
              {t('Mute for…')}
            </Menu>
          )}
          {may('assets:write') && alert.status === 'open' && (
            <Button look="primary" disabled={acknowledge.isPending} onClick={() => acknowledge.mutate({ id })}>
              {t('Acknowledge')}
            </Button>
          )}
        </>
      }
      side={<Side alert={alert} />}
    >
      <Card>
        <p className="text">{message}</p>
      </Card>
      {alert.company_number !== null && <OtherAlerts alert={alert} company_number={alert.company_number} />}
    </RecordPage>
  );
}

const spans = [
  { value: 60, label: t('{count, plural, one {# hour} other {# hours}}', { count: 1 }) },
  { value: 240, label: t('{count, plural, one {# hour} other {# hours}}', { count: 4 }) },
  { value: 1440, label: t('{count, plural, one {# day} other {# days}}', { count: 1 }) },
  { value: 10_080, label: t('{count, plural, one {# day} other {# days}}', { count: 7 }) },
];

/** Returns the URL of a new ticket prefilled from the alert. */
function ticketFor({ alert_type, company_number, asset_id }: Alert, message: string): string {
  const about: Record<string, string> = asset_id
    ? { asset: String(asset_id) }
    : { company: String(company_number ?? '') };
  const said = new URLSearchParams({ ...about, subject: `${words(alert_type)}: ${message}`.slice(0, 255) });
  return `/tickets/new?${said.toString()}`;
}

function Side({ alert }: { alert: Alert }) {
  const { company_number, company_name, asset_id, acknowledged_by, acknowledged_at, resolved_at } = alert;
  return (
    <Section title={t('Alert')}>
      <Facts>
        <Fact name={t('Machine')}>{asset_id && <RecordName type="asset" id={asset_id} />}</Fact>
        <Fact name={t('Company')}>
          {company_number && <Link href={`/companies/${company_number}`}>{company_name}</Link>}
        </Fact>
        <Fact name={t('Severity')}>
          <Badge tone={toneOf(alert.severity)}>{words(alert.severity)}</Badge>
        </Fact>
        <Fact name={t('Source')}>{alert.source}</Fact>
        <Fact name={t('Reported')}>
          {alert.occurrences > 1 ? t('{occurrences} times', { occurrences: alert.occurrences }) : t('Once')}
        </Fact>
        <Fact name={t('First')}>
          <Time at={alert.created_at} />
        </Fact>
        <Fact name={t('Last')}>
          <Time at={alert.last_raised_at} />
        </Fact>
        <Fact name={t('Acknowledged by')}>{acknowledged_by}</Fact>
        <Fact name={t('Seen')}>{acknowledged_at && <Time at={acknowledged_at} />}</Fact>
        <Fact name={t('Muted until')}>{alert.muted_until && <Time at={alert.muted_until} form="moment" />}</Fact>
        <Fact name={t('Resolved')}>{resolved_at && <Time at={resolved_at} />}</Fact>
      </Facts>
    </Section>
  );
}
