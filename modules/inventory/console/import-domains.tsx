import { ImportPage, t } from '@keelson/web';

const back = { to: '/domains', title: t('Back to the domains') };

export default function ImportDomains() {
  return (
    <ImportPage
      title={t('Import domains')}
      noun="domains"
      back={back}
      operation="POST /domains.php?action=import"
      preview="POST /domains.php?action=import-preview"
    />
  );
}
