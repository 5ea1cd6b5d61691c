// Import page: select a file, map its columns, validate every row in a dry run, then import.
import { useRef, useState } from 'react';
import { ask, dataOf, queries, stale, type Data, type Operation } from './client.ts';
import { counted } from './format.ts';
import { pathOf } from './generic.ts';
import { ImportColumns, isComplete, keptMapping, keepMapping, type Matching } from './import-columns.tsx';
import { ImportFile } from './import-choice.tsx';
import { ImportOutcome, type Outcome } from './import-outcome.tsx';
import { CheckField, Form } from './form.tsx';
import { Bones, LinkButton, Note } from './parts.tsx';
import { RecordField } from './record-field.tsx';
import { RecordPage } from './record-page.tsx';

export type Preview = Data<'POST /assets.php?action=import-preview'>;

interface ImportPageProps {
  /** For example `Import assets`. */
  readonly title: string;
  readonly back: { readonly to: string; readonly title: string };
  /** Import operation; takes the file, the mapping and `dry_run`. */
  readonly operation: Operation;
  /** Operation that inspects the file. */
  readonly preview: Operation;
}

export function ImportPage({ title, back, operation, preview }: ImportPageProps) {
  const [file, setFile] = useState<File>();
  const [seen, setSeen] = useState<Preview>();
  const [matching, setMatching] = useState<Matching>();
  const [judged, setJudged] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setError(null);
    try {
      await work(controller.signal);
    } catch (refused) {
      if (!controller.signal.aborted) setError(refused as Error);
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
    setError(null);
  };
  const done = judged?.dry_run === false;
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
            submit={judged ? `Import ${counted(good, 'rows')}` : `Check ${counted(seen.total, 'rows')}`}
            busy={busy || !complete || (judged !== undefined && good === 0)}
            error={error}
            onCancel={busy ? () => running.current?.abort() : judged && forget}
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
            <RecordField
              type="company"
              name="company_number"
              label="Company"
              hint="Of the rows that name none."
              onPick={forget}
            />
            <CheckField name="update_existing" label="Update those that are there already" />
            {busy && (
              <p role="status">
                {judged
                  ? 'Importing. What is stored when you cancel stays.'
                  : 'Checking every row. Nothing is stored yet.'}
              </p>
            )}
          </Form>
        )}
        {judged && <ImportOutcome of={judged} />}
        {done && (
          <LinkButton to={back.to} look="primary">
            Go to the list
          </LinkButton>
        )}
      </div>
    </RecordPage>
  );
}
