// New report.
import { toast, useChange, useLocation } from '@keelson/web';
import { ReportForm } from './report-form.tsx';

const back = { to: '/reports', title: 'Back to reports' };

export default function CreateReport() {
  const [, go] = useLocation();
  const create = useChange('POST /reports.php', {
    quiet: true,
    touches: ['/reports.php'],
    done: ({ report_id }) => {
      toast('Report created');
      go(`/reports/${report_id}`);
    },
  });
  return (
    <ReportForm back={back} busy={create.isPending} error={create.error} onSave={(body) => create.mutate({ body })} />
  );
}
