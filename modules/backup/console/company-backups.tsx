// Backups of a company's machines by day.
import { BackupDays } from './machines.tsx';

export default function CompanyBackups({ company: { company_number } }: { company: { company_number: number } }) {
  return <BackupDays days={14} company_number={company_number} />;
}
