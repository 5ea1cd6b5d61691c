import { ImportPage } from '@keelson/web';

const back = { to: '/companies', title: 'Back to the companies' };

export default function ImportCompanies() {
  return (
    <ImportPage
      title="Import companies"
      noun="companies"
      back={back}
      operation="POST /companies.php?action=import"
      preview="POST /companies.php?action=import-preview"
      company={false}
    />
  );
}
