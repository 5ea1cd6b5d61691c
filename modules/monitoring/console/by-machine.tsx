// Unresolved alerts by machine, the worst first, with a ticket about each machine.
import {
  addressWith,
  Badge,
  Card,
  Empty,
  Explained,
  useExplained,
  Link,
  LinkButton,
  Loaded,
  number,
  Sheet,
  Time,
  toneOf,
  useMay,
  usePages,
  useShowMore,
  words,
  type Row,
  t,
} from '@keelson/web';

const LIST = 'GET /monitoring/alert-groups.php';
type Group = Row<typeof LIST>;

export default function AlertsByMachine() {
  const list = usePages(LIST);
  const { rows, more } = useShowMore(list);
  const may = useMay()('tickets:write');
  return (
    <Sheet
      title={t('Alerts by machine')}
      acts={
        <LinkButton to="/alerts" icon="list">
          {t('All alerts')}
        </LinkButton>
      }
    >
      <Loaded list={list}>
        {list.total === 0 && <Empty title={t('No unresolved alerts.')} />}
        {rows.map((each) => (
          <Machine key={keyOf(each)} group={each} may={may} />
        ))}
        {more}
      </Loaded>
    </Sheet>
  );
}

const keyOf = ({ company_number, asset_id, collector_id }: Group) => [company_number, asset_id, collector_id].join(' ');

function Machine({ group, may }: { group: Group; may: boolean }) {
  const { company_number, company_name, asset_id, machine_name, collector_id, total, alerts } = group;
  const first = useExplained(alerts[0]?.message ?? '');
  const name = machine_name ?? (collector_id ? t('Collector') : (company_name ?? t('This installation')));
  return (
    <Card
      title={`${name} (${number(total)})`}
      flush
      act={
        may &&
        company_number !== null && (
          <Link href={ticketAbout(group, name, first)} className="button plain small">
            {t('Create ticket')}
            <span className="hidden"> {t('about {machine_name}', { machine_name: name })}</span>
          </Link>
        )
      }
    >
      {(asset_id !== null || company_number !== null) && (
        <p className="none">
          {asset_id !== null && <Link href={addressWith('/assets/:quoted', asset_id)}>{t('Open the machine')}</Link>}{' '}
          {company_number !== null && (
            <Link href={`/companies/${company_number}`}>
              {name === company_name ? t('Open the company') : company_name}
            </Link>
          )}
        </p>
      )}
      <ul className="lines">
        {alerts.map((each) => (
          <li key={each.alert_id}>
            <Link href={`/alerts/${each.alert_id}`}>
              <Badge tone={toneOf(each.severity)}>{words(each.severity)}</Badge>
              <span className="wraps">
                <Explained text={each.message} />
              </span>
              <span className="tone-muted">
                {words(each.status)} <Time at={each.last_raised_at} />
              </span>
            </Link>
          </li>
        ))}
        {total > alerts.length && (
          <li>
            <Link href={alertsOf(group)}>{t('All {total} alerts', { total })}</Link>
          </li>
        )}
      </ul>
    </Card>
  );
}

/** Returns the URL of the list of a machine's alerts. */
function alertsOf({ company_number, asset_id, collector_id }: Group): string {
  const narrowest = Object.entries({ asset_id, collector_id, company_number }).find(([, value]) => value !== null);
  return `/alerts?${new URLSearchParams({ muted: 'no', ...(narrowest && { [narrowest[0]]: String(narrowest[1]) }) })}`;
}

/** Returns the URL of a new ticket about all alerts of a machine. */
function ticketAbout({ company_number, asset_id, total }: Group, name: string, message: string): string {
  const subject = total === 1 ? message : t('{name}: {total, plural, one {# alert} other {# alerts}}', { name, total });
  const about: Record<string, string> =
    asset_id === null ? { company: String(company_number) } : { asset: String(asset_id) };
  return `/tickets/new?${new URLSearchParams({ ...about, subject: subject.slice(0, 255) })}`;
}
