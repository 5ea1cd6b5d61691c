import { ImportPage } from '@keelson/web';

const back = { to: '/assets', title: 'Back to the assets' };
const columns = [
  'machine_name',
  'asset_type',
  'serial_number',
  'ip_address',
  'company_number',
  'and the others of an asset',
];

export default function ImportAssets() {
  return <ImportPage title="Import assets" back={back} operation="POST /assets.php?action=import" columns={columns} />;
}
