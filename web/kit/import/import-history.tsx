// An import in the history: its progress and result, and undo.
import { useEffect, useState } from 'react';
import { confirm } from '../components/confirm.tsx';
import { Button, Card, Failed, Note, Time } from '../components/parts.tsx';
import { counted, number } from '../format.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import type { Column } from '../list/table.tsx';
import { queries, stale, useChange, useItem, type Row } from '../request/client.ts';
import { t } from '../shell/words.ts';

export type ImportSurface = 'console' | 'portal';

/** Both surfaces return the same data, each in its own envelope. */
export const importOperations = {
  console: {
    list: 'GET /imports.php',
    read: 'GET /imports.php?id={id}',
    kept: 'GET /imports.php?action=kept&id={id}',
    undo: 'POST /imports.php?action=undo&id={id}',
  },
  portal: {
    list: 'GET /imports',
    read: 'GET /imports/{id}',
    kept: 'GET /imports/{id}/kept',
    undo: 'POST /imports/{id}/undo',
  },
} as const;

export type ImportEntry = Row<'GET /imports.php'>;
type Kept = Row<'GET /imports.php?action=kept&id={id}'>;

/** Returns the rows of a list; on the portal they are under their own name. */
function rowsIn<R>(answer: unknown): readonly R[] {
  if (Array.isArray(answer)) return answer as readonly R[];
  return answer instanceof Object ? ((Object.values(answer).find(Array.isArray) ?? []) as readonly R[]) : [];
}

const POLL_MS = 1000;
const MOST_KEPT = 100;

/** Progress of an import that is running, being checked or being undone. */
export function ImportProgress({ title, of, total }: { title: string; of: number; total: number }) {
  return (
    <p role="status" className="import-progress">
      {title}: {t('{done} of {rows}', { done: number(of), rows: counted(total, 'rows') })}
      <progress aria-label={title} value={Math.min(of, total)} max={Math.max(total, 1)} />
    </p>
  );
}

interface RunningImport {
  /** The name of the importable: `contacts`. */
  readonly noun: string;
  readonly file: string;
  readonly total: number;
  readonly status: 'checking' | 'running';
}

/**
 * Returns the person's running import with its progress. Undefined if there are several, so that the wrong one is not
 * cancelled.
 */
export function useRunningImport(surface: ImportSurface, wanted: RunningImport | undefined) {
  const list = importOperations[surface].list as 'GET /imports.php';
  const enabled = wanted !== undefined;
  const query = { mine: true, status: wanted?.status ?? 'running', ...(wanted && { noun: wanted.noun }) };
  const { data } = useItem(list, query, { enabled, every: POLL_MS });
  if (!wanted) return undefined;
  const file = wanted.file.slice(0, 255);
  const fits = rowsIn<ImportEntry>(data).filter((each) => each.file_name === file && each.total === wanted.total);
  return fits.length === 1 ? fits[0] : undefined;
}

interface ImportHistoryProps {
  readonly import_id: number;
  readonly surface?: ImportSurface;
  /** Paths of the imported records, invalidated once the import is undone. */
  readonly touches?: readonly string[];
  readonly onUndo?: () => void;
}

export function ImportHistory({ import_id, surface = 'console', touches = [], onUndo }: ImportHistoryProps) {
  const operations = importOperations[surface];
  const read = operations.read as 'GET /imports.php?id={id}';
  const [settled, setSettled] = useState(false);
  const { data, error } = useItem(read, { id: import_id }, { every: settled ? 0 : POLL_MS });
  const undo = useChange(operations.undo as 'POST /imports.php?action=undo&id={id}', {
    touches: ['/imports'],
    done: () => onUndo?.(),
  });
  const undone = data?.status === 'undone';
  const ended = undone || data?.status === 'done';
  const paths = touches.join(' ');
  useEffect(() => setSettled(ended), [ended]);
  useEffect(() => {
    if (undone && paths) void stale(queries, paths.split(' '));
  }, [undone, paths]);
  if (error) return <Failed error={error} />;
  if (!data) return null;
  const { created, updated, removed, restored, kept, cancelled, undone_by } = data;
  // A cancelled import ends with its current batch.
  const status = cancelled && data.status === 'running' ? 'undoing' : data.status;
  const ask = async () => {
    const sure = await confirm({
      title: t('Undo this import?'),
      text: t('{created} will be deleted and {updated} restored. Records that were changed since stay as they are.', {
        created: counted(created, 'new records'),
        updated: counted(updated, 'changed records'),
      }),
      act: t('Undo the import'),
      danger: true,
    });
    if (sure) undo.mutate({ id: import_id });
  };
  return (
    <>
      {status === 'running' && <ImportProgress title={t('Importing')} of={data.processed} total={data.total} />}
      {status === 'undoing' && (
        <ImportProgress title={t('Undoing')} of={removed + restored + kept} total={created + updated} />
      )}
      {status === 'done' && created + updated > 0 && (
        <p>
          <Button icon="undo" disabled={undo.isPending} onClick={() => void ask()}>
            {t('Undo this import')}
          </Button>
        </p>
      )}
      {undone && (
        <Note
          tone={kept > 0 ? 'warn' : 'ok'}
          title={cancelled ? t('The import was cancelled and undone.') : t('The import is undone.')}
        >
          {t('{removed} removed, {restored} restored, {kept} left as they are', {
            removed: number(removed),
            restored: number(restored),
            kept: number(kept),
          })}
          {undone_by && ` (${undone_by})`}. <Time at={data.undone_at} />
        </Note>
      )}
      {undone && kept > 0 && <KeptRecords import_id={import_id} kept={kept} surface={surface} />}
    </>
  );
}

const keptColumns: readonly Column<Kept>[] = [
  { key: 'label', title: t('Record'), width: '', look: 'strong', cell: (each) => each.label },
  { key: 'reason', title: t('Reason'), width: '', cell: (each) => each.reason },
];

function KeptRecords({ import_id, kept, surface }: { import_id: number; kept: number; surface: ImportSurface }) {
  const operation = importOperations[surface].kept as 'GET /imports.php?action=kept&id={id}';
  const { data, error } = useItem(operation, { id: import_id, per_page: MOST_KEPT });
  if (error) return <Failed error={error} />;
  return (
    <Card
      title={
        kept > MOST_KEPT
          ? t('The first {most} of {kept} records left', { most: MOST_KEPT, kept: number(kept) })
          : t('Records left unchanged')
      }
      flush
    >
      <SimpleTable label={t('Records left unchanged')} rows={rowsIn<Kept>(data)} columns={keptColumns} />
    </Card>
  );
}
