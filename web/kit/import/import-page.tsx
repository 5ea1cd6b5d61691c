// Import page: select a file, map its columns, validate every row in a dry run, then import.
import { useRef, useState, type ReactNode } from 'react';
import { Bones, LinkButton, Note } from '../components/parts.tsx';
import { RecordPage } from '../components/record-page.tsx';
import { CheckField, Form } from '../form/form.tsx';
import { RecordField } from '../form/record-field.tsx';
import { counted } from '../format.ts';
import { pathOf } from '../generic/generic.ts';
import { ask, dataOf, queries, stale, type Data, type Operation } from '../request/client.ts';
import { t } from '../shell/words.ts';
import { ImportFile } from './import-choice.tsx';
import { ImportColumns, isComplete, keptMapping, keepMapping, type Matching } from './import-columns.tsx';
import {
  ImportHistory,
  importOperations,
  ImportProgress,
  useRunningImport,
  type ImportSurface,
} from './import-history.tsx';
import { ImportOutcome, type Outcome } from './import-outcome.tsx';

export type Preview = Data<'POST /assets.php?action=import-preview'>;

interface ImportPageProps {
  /** For example `Import assets`. */
  readonly title: string;
  /** The name of the `Importable`: `assets`. */
  readonly noun: string;
  readonly back: { readonly to: string; readonly title: string };
  /** Import operation; takes the file, the mapping and `dry_run`. */
  readonly operation: Operation;
  /** Operation that inspects the file. */
  readonly preview: Operation;
  readonly surface?: ImportSurface;
  /** False if the rows have no company, or always the caller's. */
  readonly company?: boolean;
  /** Shown below the outcome. */
  readonly then?: (outcome: Outcome) => ReactNode;
}

export function ImportPage(props: ImportPageProps) {
  const { title, noun, back, operation, preview, surface = 'console', company = true, then } = props;
  const [file, setFile] = useState<File>();
  const [seen, setSeen] = useState<Preview>();
  const [matching, setMatching] = useState<Matching>();
  const [judged, setJudged] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** The import that was cancelled, or is undone. */
  const [undoing, setUndoing] = useState<number>();
  const running = useRef<AbortController>(undefined);
  const cancelled = useRef(false);
  const status = judged ? 'running' : 'checking';
  const current = useRunningImport(
    surface,
    busy && seen && file ? { noun, file: file.name, total: seen.total, status } : undefined,
  );
  const cancel = () => {
    // Stored rows must be undone; a dry run stored nothing. An import whose request is aborted is undone too.
    if (judged && current) {
      const { import_id: id } = current;
      cancelled.current = true;
      ask(importOperations[surface].undo, { id }).then(
        () => setUndoing(id),
        (refused: Error) => {
          cancelled.current = false;
          setError(refused);
        },
      );
    } else running.current?.abort();
  };
  const forgetErrors = () => {
    setError(null);
    setUndoing(undefined);
  };
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController();
    running.current = controller;
    cancelled.current = false;
    setBusy(true);
    forgetErrors();
    try {
      await work(controller.signal);
    } catch (refused) {
      if (cancelled.current) setJudged(undefined);
      else if (!controller.signal.aborted) setError(refused as Error);
    } finally {
      setBusy(false);
    }
  };
  const choose = (chosen: File) => {
    setFile(chosen);
    setSeen(undefined);
    setJudged(undefined);
    const body = new FormData();
    body.append('file', chosen, chosen.name);
    void run(async (signal) => {
      const looked = dataOf(await ask(preview, { body }, signal)) as Preview;
      setSeen(looked);
      setMatching(keptMapping(preview, looked));
    });
  };
  const send = (given: FormData) => {
    if (!file || !matching) return;
    const dry_run = judged === undefined;
    const body = new FormData();
    body.append('file', file, file.name);
    body.append('profile', 'auto');
    body.append('mapping', JSON.stringify(matching.mapping));
    if (matching.dates) body.append('dates', matching.dates);
    const options = {
      update_existing: given.get('update_existing') === 'true',
      company_number: given.get('company_number'),
    };
    void run(async (signal) => {
      const outcome = dataOf(await ask(operation, { dry_run, ...options, body }, signal)) as Outcome;
      setJudged(outcome);
      if (dry_run) return;
      if (seen) keepMapping(preview, seen, matching);
      await stale(queries, [pathOf(operation)]);
    });
  };
  const forget = () => {
    setJudged(undefined);
    forgetErrors();
  };
  const done = judged?.dry_run === false;
  const shown = undoing ?? (done ? (judged.import_id ?? undefined) : undefined);
  const good = judged ? judged.created + judged.updated : 0;
  const complete = seen !== undefined && matching !== undefined && isComplete(seen, matching);
  return (
    <RecordPage title={title} back={back}>
      <div className="import-page">
        {!done && <ImportFile file={file} busy={busy} onFile={choose} />}
        {!seen && busy && <Bones />}
        {!seen && error && <Note tone="danger">{error.message}</Note>}
        {!done && seen && matching && (
          <Form
            submit={
              judged
                ? t('Import {good}', { good: counted(good, 'rows') })
                : t('Check {total}', { total: counted(seen.total, 'rows') })
            }
            busy={busy || !complete || (judged !== undefined && good === 0)}
            error={error}
            onCancel={busy ? cancel : judged && forget}
            onSubmit={send}
          >
            <ImportColumns
              seen={seen}
              matching={matching}
              onChange={(next) => {
                setMatching(next);
                forget();
              }}
            />
            {company && (
              <RecordField
                type="company"
                name="company_number"
                label={t('Company')}
                hint={t('For rows without a company.')}
                onPick={forget}
              />
            )}
            <CheckField name="update_existing" label={t('Update existing records')} />
            {busy && current && undoing === undefined && (
              <ImportProgress
                title={judged ? t('Importing') : t('Checking')}
                of={current.processed}
                total={current.total}
              />
            )}
            {busy && (
              <p role="status">
                {judged
                  ? t('Keep this page open. If you cancel, imported rows are undone.')
                  : t('Checking rows. Nothing has been imported yet.')}
              </p>
            )}
          </Form>
        )}
        {judged && !busy && undoing === undefined && <ImportOutcome of={judged} />}
        {shown !== undefined && (
          <ImportHistory
            import_id={shown}
            surface={surface}
            touches={[pathOf(operation)]}
            onUndo={() => setUndoing(shown)}
          />
        )}
        {done && undoing === undefined && then?.(judged)}
        {done && (
          <LinkButton to={back.to} look="primary">
            {t('Go to list')}
          </LinkButton>
        )}
      </div>
    </RecordPage>
  );
}
