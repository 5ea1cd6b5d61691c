import { ImportPage, InviteImported, t } from '@keelson/web';

const back = { to: '/people', title: t('Back to the people') };

/** Import page where an IT admin imports people of their own company. */
export default function ImportPeople() {
  return (
    <ImportPage
      title={t('Import people')}
      noun="contacts"
      back={back}
      surface="portal"
      company={false}
      operation="POST /employees/import"
      preview="POST /employees/import-preview"
      then={({ import_id, created }) =>
        import_id !== null &&
        created > 0 && <InviteImported import_id={import_id} operation="POST /employees/invite-imported" />
      }
    />
  );
}
