import { PortalAccess } from '@keelson/web';

export default function PortalAccessPanel({ record: colleague }: { record: { employee_number: number } }) {
  return (
    <PortalAccess
      employee_number={colleague.employee_number}
      read="GET /employees/{id}/portal-access"
      invite="POST /employees/invite"
      touches="/employees"
      mayInvite
    />
  );
}
