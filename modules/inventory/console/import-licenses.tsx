import { ImportPage, t } from '@keelson/web';

const back = { to: '/licenses', title: t('Back to the licenses') };

export default function ImportLicenses() {
  return (
    <ImportPage
      title={t('Import licenses')}
      noun="licenses"
      back={back}
      operation="POST /licenses.php?action=import"
      preview="POST /licenses.php?action=import-preview"
    />
  );
}
