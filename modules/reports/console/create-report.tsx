// New report.
import { toast, useChange, useGo, t } from '@keelson/web';
import { ReportForm } from './report-form.tsx';

const back = { to: '/reports', title: t('Back to reports') };

export default function CreateReport() {
  const go = useGo();
  const create = useChange('POST /reports.php', {
    quiet: true,
    touches: ['/reports.php'],
    done: ({ report_id }) => {
      toast(t('Report created'));
      go(`/reports/${report_id}`);
    },
  });
  return (
    <ReportForm back={back} busy={create.isPending} error={create.error} onSave={(body) => create.mutate({ body })} />
  );
}
