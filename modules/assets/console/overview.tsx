// Asset overview: addresses, licences, contracts, notes and files.
import { Badge, Card, Files, SimpleTable, Time, toneOf, useMay, useRecordLink, words, t } from '@keelson/web';
import type { Column, Data } from '@keelson/web';

type Asset = Data<'GET /assets.php?id={id}'>;

const addresses: readonly Column<Asset['ip_addresses'][number]>[] = [
  { key: 'address', title: t('Address'), width: '', look: 'strong', cell: (each) => each.ip_address },
  { key: 'primary', title: t('Primary'), width: '', cell: (each) => (each.is_primary ? t('Yes') : t('No')) },
  { key: 'assignment', title: t('Assignment'), width: '', cell: (each) => words(each.assignment_type) },
  { key: 'network', title: t('Network'), width: '', look: 'muted', cell: (each) => each.network_description },
  { key: 'mac', title: t('MAC address'), width: '', look: 'muted', cell: (each) => each.mac_address },
];

const licenses: readonly Column<Asset['licenses'][number]>[] = [
  { key: 'name', title: t('License'), width: '', look: 'strong', cell: (each) => each.name },
  { key: 'vendor', title: t('Vendor'), width: '', cell: (each) => each.vendor },
  {
    key: 'seats',
    title: t('Seats'),
    width: '',
    look: 'right',
    cell: ({ seats, seats_used }) => seatsOf(seats, seats_used),
  },
  { key: 'status', title: t('Status'), width: '', cell: ({ status }) => <State status={status} /> },
  { key: 'expires', title: t('Expires'), width: '', look: 'muted', cell: (each) => <Time at={each.expires_at} /> },
];

const contracts: readonly Column<Asset['contracts'][number]>[] = [
  { key: 'name', title: t('Contract'), width: '', look: 'strong', cell: (each) => each.name },
  { key: 'type', title: t('Type'), width: '', cell: (each) => words(each.contract_type) },
  { key: 'status', title: t('Status'), width: '', cell: ({ status }) => <State status={status} /> },
  { key: 'start', title: t('From'), width: '', look: 'muted', cell: (each) => <Time at={each.start_date} /> },
  { key: 'end', title: t('Until'), width: '', look: 'muted', cell: (each) => <Time at={each.end_date} /> },
];

const seatsOf = (seats: number | null, used: number) =>
  seats === null ? `${used}` : t('{used} of {seats}', { used, seats });
const State = ({ status }: { status: string }) => <Badge tone={toneOf(status)}>{words(status)}</Badge>;

export function Overview({ asset }: { asset: Asset }) {
  const link = useRecordLink();
  const may = useMay()('assets:write');
  const [licensed, contracted] = [link('license', 0), link('contract', 0)];
  return (
    <>
      {asset.notes && (
        <Card title={t('Notes')}>
          <p className="text">{asset.notes}</p>
        </Card>
      )}
      <Card title={t('Addresses')} flush>
        <SimpleTable
          label={t('Addresses')}
          rows={asset.ip_addresses}
          columns={addresses}
          empty={t('No addresses yet.')}
        />
      </Card>
      <Card title={t('Licenses')} flush>
        <SimpleTable
          label={t('Licenses')}
          rows={asset.licenses}
          columns={licenses}
          to={licensed ? ({ license_id }) => link('license', license_id) ?? '' : undefined}
          empty={t('No licenses assigned.')}
        />
      </Card>
      <Card title={t('Contracts')} flush>
        <SimpleTable
          label={t('Contracts')}
          rows={asset.contracts}
          columns={contracts}
          to={contracted ? ({ contract_id }) => link('contract', contract_id) ?? '' : undefined}
          empty={t('Not covered by a contract.')}
        />
      </Card>
      <Files path="/assets.php" id={asset.asset_id} may={may} />
    </>
  );
}
