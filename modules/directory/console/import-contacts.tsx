import { ImportPage } from '@keelson/web';

const back = { to: '/contacts', title: 'Back to the contacts' };
const columns = ['First name', 'Last name', 'Email', 'Phone', 'Company number', 'and the others of a contact'];

export default function ImportContacts() {
  return (
    <ImportPage title="Import contacts" back={back} operation="POST /contacts.php?action=import" columns={columns} />
  );
}
