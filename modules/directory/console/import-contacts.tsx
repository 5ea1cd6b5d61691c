import { ImportPage } from '@keelson/web';

const back = { to: '/contacts', title: 'Back to the contacts' };

export default function ImportContacts() {
  return (
    <ImportPage
      title="Import contacts"
      back={back}
      operation="POST /contacts.php?action=import"
      preview="POST /contacts.php?action=import-preview"
    />
  );
}
