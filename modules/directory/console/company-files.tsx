// Files of a company: signed forms, floor plans, instructions.
import { Files, useMay } from '@keelson/web';

export default function CompanyFiles({ company: { company_number } }: { company: { company_number: number } }) {
  return <Files path="/companies.php" id={company_number} may={useMay()('companies:write')} />;
}
