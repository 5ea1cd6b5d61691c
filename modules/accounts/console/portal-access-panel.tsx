import { PortalAccess, useMay } from '@keelson/web';

export default function PortalAccessPanel({ record: contact }: { record: { employee_number: number } }) {
  const may = useMay();
  return (
    <PortalAccess
      employee_number={contact.employee_number}
      read="GET /contacts.php?action=portal-access&id={id}"
      invite="POST /contacts.php?action=invite"
      touches="/contacts.php"
      mayInvite={may('contacts:access')}
    />
  );
}
