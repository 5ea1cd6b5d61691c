// Backup page: backups, restore drills and restore requests.
import {
  addressWith,
  Badge,
  Bones,
  Card,
  columnsOf,
  Failed,
  Figure,
  fileSize,
  Line,
  Lines,
  LinkButton,
  Sheet,
  SimpleTable,
  Time,
  toneOf,
  useAllRows,
  useItem,
  useMay,
  words,
  type FieldInfo,
  t,
} from '@keelson/web';

type AnyRow = Readonly<Record<string, unknown>>;

/** Marks fields whose values are displayed as words. */
const word: FieldInfo = { type: 'string', enum: [] };
const fields = { backup_type: word };

const states: Readonly<Record<string, string>> = {
  not_configured: t('Not set up'),
  healthy: t('All good'),
  warning: t('Late'),
  failed: t('Backup failed'),
};

export default function Backup() {
  const may = useMay();
  const { data, error, refetch } = useItem('GET /backup/status');
  return (
    <Sheet
      title={t('Backup')}
      acts={
        may('can_create_tickets') && (
          <LinkButton to="/backup/restore" look="primary" icon="undo">
            {t('Request a restore')}
          </LinkButton>
        )
      }
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={8} />}
      {data && (
        <div className="figures">
          <Figure name={t('State')}>
            <Badge tone={toneOf(data.status)}>{states[data.status] ?? words(data.status)}</Badge>
          </Figure>
          <Figure name={t('Last backup')}>
            <Time at={data.last_backup_at} />
          </Figure>
          <Figure name={t('Last restore drill')}>
            {data.last_drill_on ? words(data.restore_test) : t('Never tested')}
          </Figure>
          <Figure name={t('Kept')}>{fileSize(data.storage_used_bytes)}</Figure>
        </div>
      )}
      <Requests />
      {data && data.recent_backups.length > 0 && (
        <Card title={t('Recent backups')} flush>
          <SimpleTable
            label={t('Recent backups')}
            rows={data.recent_backups as readonly AnyRow[]}
            columns={columnsOf(['machine_name', 'backup_type', 'status', 'size_bytes', 'finished_at'], fields)}
          />
        </Card>
      )}
      <Drills />
    </Sheet>
  );
}

function Requests() {
  const { rows: requests } = useAllRows('GET /backup/restore-requests');
  if (requests.length === 0) return null;
  return (
    <Lines title={t('Restore requests')}>
      {requests.map((each) => (
        <Line
          key={each.request_id}
          title={each.description}
          to={each.ticket_id ? addressWith('/tickets/:quoted', each.ticket_id) : undefined}
          about={[each.requested_by, <Time key="at" at={each.created_at} />]}
          end={<Badge tone={toneOf(each.status)}>{words(each.status)}</Badge>}
        />
      ))}
    </Lines>
  );
}

function Drills() {
  const { rows: drills } = useAllRows('GET /backup/drills');
  if (drills.length === 0) return null;
  return (
    <Card title={t('Restore drills')} flush>
      <SimpleTable
        label={t('Restore drills')}
        rows={drills}
        columns={columnsOf(['subject', 'tested_on', 'result', 'tested_by'], {})}
      />
    </Card>
  );
}
