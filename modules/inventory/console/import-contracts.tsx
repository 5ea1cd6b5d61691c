import { ImportPage, t } from '@keelson/web';

const back = { to: '/contracts', title: t('Back to the contracts') };

export default function ImportContracts() {
  return (
    <ImportPage
      title={t('Import contracts')}
      noun="contracts"
      back={back}
      operation="POST /contracts.php?action=import"
      preview="POST /contracts.php?action=import-preview"
    />
  );
}
