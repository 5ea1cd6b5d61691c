import { ImportPage } from '@keelson/web';

const back = { to: '/domains', title: 'Back to the domains' };

export default function ImportDomains() {
  return (
    <ImportPage
      title="Import domains"
      noun="domains"
      back={back}
      operation="POST /domains.php?action=import"
      preview="POST /domains.php?action=import-preview"
    />
  );
}
