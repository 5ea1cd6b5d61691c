import { ImportPage } from '@keelson/web';

const back = { to: '/assets', title: 'Back to assets' };

export default function ImportAssets() {
  return (
    <ImportPage
      title="Import assets"
      noun="assets"
      back={back}
      operation="POST /assets.php?action=import"
      preview="POST /assets.php?action=import-preview"
    />
  );
}
