import { ImportPage } from '@keelson/web';

const back = { to: '/licenses', title: 'Back to the licenses' };

export default function ImportLicenses() {
  return (
    <ImportPage
      title="Import licenses"
      noun="licenses"
      back={back}
      operation="POST /licenses.php?action=import"
      preview="POST /licenses.php?action=import-preview"
    />
  );
}
