import { ImportPage, InviteImported, useMay, t } from '@keelson/web';

const back = { to: '/contacts', title: t('Back to contacts') };

export default function ImportContacts() {
  const may = useMay();
  return (
    <ImportPage
      title={t('Import contacts')}
      noun="contacts"
      back={back}
      operation="POST /contacts.php?action=import"
      preview="POST /contacts.php?action=import-preview"
      then={({ import_id, created }) =>
        import_id !== null &&
        created > 0 &&
        may('contacts:access') && (
          <InviteImported import_id={import_id} operation="POST /contacts.php?action=invite-imported" />
        )
      }
    />
  );
}
