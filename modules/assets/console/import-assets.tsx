import { ImportPage } from '@keelson/web';

const back = { to: '/assets', title: 'Back to the assets' };
const columns = [
  'Machine name',
  'Asset type',
  'Serial number',
  'IP address',
  'Company number',
  'and the others of an asset',
];

export default function ImportAssets() {
  return <ImportPage title="Import assets" back={back} operation="POST /assets.php?action=import" columns={columns} />;
}
