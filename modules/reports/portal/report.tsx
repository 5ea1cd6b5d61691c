// Saved report of the portal: runs when opened, and exports to a file.
import {
  Bones,
  call,
  counted,
  Failed,
  hrefOf,
  Icon,
  number,
  RecordPage,
  ReportCell,
  SimpleTable,
  toastError,
  t,
} from '@keelson/web';
import type { Column, Data } from '@keelson/web';
import { useCallback, useEffect, useState } from 'react';

type Run = Data<'POST /reports/{id}/run'>;
type Line = Readonly<Record<string, unknown>>;

const back = { to: '/reports', title: t('Back to reports') };
const formats = ['csv', 'xlsx', 'pdf'] as const;

export default function ReportPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const [run, setRun] = useState<Run>();
  const [error, setError] = useState<Error>();
  const start = useCallback(() => {
    setError(undefined);
    call('POST /reports/{id}/run', { id, body: {} }).then(setRun, (refusal: Error) => {
      setError(refusal);
      toastError(refusal);
    });
  }, [id]);
  useEffect(start, [start]);
  if (!run)
    return (
      <RecordPage title={t('Report')} back={back}>
        {error ? <Failed error={error} retry={start} /> : <Bones rows={8} />}
      </RecordPage>
    );
  const columns = run.columns.map((column): Column<Line> => ({
    key: column.key,
    title: t(column.label),
    width: '',
    look: column.type === 'number' || column.type === 'money' ? 'right' : 'muted',
    cell: (row) => <ReportCell column={column} row={row} />,
  }));
  return (
    <RecordPage
      title={run.name}
      back={back}
      acts={formats.map((format) => (
        <a key={format} className="button" href={hrefOf('GET /reports/{id}/export', { id, format })} download>
          <Icon name="download" /> {format.toUpperCase()}
        </a>
      ))}
    >
      <p className="tone-muted">
        {run.truncated
          ? t('{total} rows, only the first are shown. Export to get all.', { total: number(run.total) })
          : counted(run.total, 'rows')}
      </p>
      <div className="report-rows">
        <SimpleTable
          label={run.name}
          rows={run.rows as readonly Line[]}
          columns={columns}
          empty={t('No rows match these filters.')}
        />
      </div>
    </RecordPage>
  );
}
