// Form to edit a report.
import { changedIn, RecordPending, toast, useChange, useItem, useGo, t } from '@keelson/web';
import { ReportForm } from './report-form.tsx';

export default function EditReport({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const back = { to: `/reports/${id}`, title: t('Back to the report') };
  const go = useGo();
  const { data, error, refetch } = useItem('GET /reports.php?id={id}', { id });
  const change = useChange('PUT /reports.php?id={id}', {
    quiet: true,
    touches: ['/reports.php'],
    done: () => {
      toast(t('Saved'));
      go(`/reports/${id}`);
    },
  });
  if (error || !data)
    return <RecordPending title={t('Report')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <ReportForm
      report={data}
      back={back}
      busy={change.isPending}
      error={change.error}
      onSave={(now, opened) => {
        const body = changedIn(now, opened);
        if (Object.keys(body).length === 0) go(`/reports/${id}`);
        else change.mutate({ id, body });
      }}
    />
  );
}
