// Preview of a bulk action by ticket, and afterwards the results.
import {
  Badge,
  Bones,
  Button,
  call,
  Dialog,
  Failed,
  queries,
  SimpleTable,
  stale,
  toast,
  type Args,
  type Column,
  type Data,
  t,
} from '@keelson/web';
import { useEffect, useState } from 'react';
import { priorities, statuses } from '../ticket/look.tsx';

const RUN = 'POST /bulk/tickets.php';
const PREVIEW = 'POST /bulk/tickets-preview.php';

export type BulkChange = Omit<NonNullable<Args<typeof RUN>['body']>, 'ticket_ids'>;

type Preview = Data<typeof PREVIEW>;
type Previewed = Preview['tickets'][number];
type Result = Data<typeof RUN>['results'][number];

interface BulkPreviewProps {
  readonly ids: readonly number[];
  readonly change: BulkChange;
  readonly onCancel: () => void;
  readonly onDone: () => void;
}

export function BulkPreview({ ids, change, onCancel, onDone }: BulkPreviewProps) {
  const [preview, setPreview] = useState<Preview>();
  const [results, setResults] = useState<readonly Result[]>();
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const body = { ...change, ticket_ids: [...ids] };
  const load = async (signal?: AbortSignal) => {
    const { data } = await call(PREVIEW, { body }, signal);
    setPreview(data);
  };
  useEffect(() => {
    const gone = new AbortController();
    load(gone.signal).catch((failure: Error) => gone.signal.aborted || setError(failure));
    return () => gone.abort();
    // The dialog is remounted for every action and selection. oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await call(RUN, { body });
      await stale(queries, ['/tickets.php', '/bulk/tickets.php']);
      if (data.failed > 0) return setResults(data.results);
      toast(doneText(data.succeeded, isDelete));
      onDone();
    } catch (failure) {
      setError(failure as Error);
      // Some tickets may have changed: show what is left to do. The error is already shown.
      await load().catch(() => {});
    } finally {
      setBusy(false);
    }
  };
  const isDelete = change.action === 'delete';
  const title = results
    ? t('Result')
    : isDelete
      ? t('Delete {count, plural, one {# ticket} other {# tickets}}?', { count: ids.length })
      : t('Change {count, plural, one {# ticket} other {# tickets}}', { count: ids.length });
  return (
    <Dialog title={title} open wide busy={busy} onClose={results ? onDone : onCancel}>
      <div className="form">
        {error && <Failed error={error} />}
        {!preview && !error && <Bones />}
        {preview && (
          <>
            <p>{summaryOf(preview, results, isDelete)}</p>
            <div className="bulk-preview">
              <SimpleTable label={title} rows={preview.tickets} columns={columnsOf(results, isDelete)} />
            </div>
          </>
        )}
        <div className="actions">
          {results ? (
            <Button look="primary" onClick={onDone}>
              {t('Close')}
            </Button>
          ) : (
            <>
              <Button disabled={busy} onClick={onCancel}>
                {t('Cancel')}
              </Button>
              <Button
                look={isDelete ? 'danger' : 'primary'}
                disabled={busy || !preview || preview.changes === 0}
                onClick={() => void run()}
              >
                {busy ? busyText(isDelete) : actOf(preview?.changes ?? 0, isDelete)}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

const actOf = (count: number, isDelete: boolean): string =>
  isDelete
    ? t('Delete {count, plural, one {# ticket} other {# tickets}}', { count })
    : t('Change {count, plural, one {# ticket} other {# tickets}}', { count });

const busyText = (isDelete: boolean): string => (isDelete ? t('Deleting…') : t('Changing…'));

const doneText = (count: number, isDelete: boolean): string =>
  isDelete
    ? t('{count, plural, one {# ticket} other {# tickets}} deleted', { count })
    : t('{count, plural, one {# ticket} other {# tickets}} changed', { count });

function summaryOf({ changes, tickets }: Preview, results: readonly Result[] | undefined, isDelete: boolean): string {
  if (results) {
    const done = results.filter(({ success }) => success).length;
    const refused = results.length - done;
    return isDelete
      ? t('{done} deleted, {refused} refused.', { done, refused })
      : t('{done} done, {refused} refused.', { done, refused });
  }
  if (isDelete) return t('Their conversations, files and time entries go with them. This cannot be undone.');
  const stay = tickets.filter(({ outcome }: Previewed) => outcome === 'stays').length;
  const refused = tickets.length - changes - stay;
  return [
    t('{count} will change', { count: changes }),
    ...(stay > 0 ? [t('{count} already so', { count: stay })] : []),
    ...(refused > 0 ? [t('{count} cannot be changed', { count: refused })] : []),
  ].join(', ');
}

function columnsOf(results: readonly Result[] | undefined, isDelete: boolean): readonly Column<Previewed>[] {
  const of = new Map(results?.map((each) => [each.ticket_id, each]));
  return [
    { key: 'number', title: t('No.'), width: '', cell: (each) => each.ticket_number },
    { key: 'subject', title: t('Subject'), width: '', cell: (each) => each.subject },
    { key: 'company', title: t('Company'), width: '', look: 'muted', cell: (each) => each.company_name },
    {
      key: 'change',
      title: results ? t('Result') : t('Change', {}, 'noun'),
      width: '',
      cell: (each) => (results ? resultOf(of.get(each.ticket_id)) : changeOf(each, isDelete)),
    },
  ];
}

function resultOf(result: Result | undefined) {
  if (!result) return null;
  return result.success ? (
    <Badge tone="ok">{t('Done')}</Badge>
  ) : (
    <Badge tone="danger">{result.error ?? t('Refused')}</Badge>
  );
}

function changeOf({ outcome, error, field, before, after }: Previewed, isDelete: boolean) {
  if (outcome === 'refused') return <Badge tone="danger">{error ?? t('Refused')}</Badge>;
  if (isDelete) return t('Deleted');
  if (outcome === 'stays')
    return <span className="tone-muted">{t('Already {field}', { field: said(field, after) })}</span>;
  return `${said(field, before)} → ${said(field, after)}`;
}

/** Formats a field value for display. */
function said(field: Previewed['field'], value: Previewed['before']): string {
  if (field === 'status') return statuses[value as keyof typeof statuses]?.title ?? '';
  if (field === 'priority') return priorities[value as keyof typeof priorities] ?? '';
  if (field === 'assigned_to') return value === null ? t('Unassigned') : String(value);
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : t('no tags');
}
