import { Card, Explained, firstRows, SimpleTable, Time, usePages, words, type Column, type Row, t } from '@keelson/web';
import type { Alert } from './alert-page.tsx';

const LIST = 'GET /monitoring/alerts.php';
const SHOWN = 20;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'message', title: t('Message'), width: '', look: 'strong', cell: (each) => <Explained text={each.message} /> },
  { key: 'type', title: t('Type'), width: '', cell: (each) => words(each.alert_type) },
  { key: 'at', title: t('Last'), width: '', look: 'muted', cell: (each) => <Time at={each.last_raised_at} /> },
];

interface OtherAlertsProps {
  readonly alert: Pick<Alert, 'alert_id' | 'asset_id'>;
  readonly company_number: number;
}

/** Lists other alerts of the same machine, or of the company if no machine is named. */
export function OtherAlerts({ alert: { alert_id, asset_id }, company_number }: OtherAlertsProps) {
  const list = usePages(LIST, asset_id === null ? { company_number } : { asset_id });
  const others = firstRows(list, SHOWN).filter((each) => each.alert_id !== alert_id);
  if (others.length === 0) return null;
  return (
    <Card title={asset_id ? t('Other alerts on this asset') : t('Other alerts at this company')} flush>
      <SimpleTable
        label={t('Other alerts')}
        rows={others}
        columns={columns}
        to={(each) => `/alerts/${each.alert_id}`}
      />
    </Card>
  );
}
