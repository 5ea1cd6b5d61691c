import { ImportPage, t } from '@keelson/web';

const back = { to: '/assets', title: t('Back to assets') };

export default function ImportAssets() {
  return (
    <ImportPage
      title={t('Import assets')}
      noun="assets"
      back={back}
      operation="POST /assets.php?action=import"
      preview="POST /assets.php?action=import-preview"
    />
  );
}
