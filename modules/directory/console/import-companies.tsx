import { ImportPage, t } from '@keelson/web';

const back = { to: '/companies', title: t('Back to the companies') };

export default function ImportCompanies() {
  return (
    <ImportPage
      title={t('Import companies')}
      noun="companies"
      back={back}
      operation="POST /companies.php?action=import"
      preview="POST /companies.php?action=import-preview"
      company={false}
    />
  );
}
