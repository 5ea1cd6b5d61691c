// Bringing in a file of rows: it is chosen, judged without storing anything, and then imported.
import { useState } from 'react';
import { ask, dataOf, queries, stale, type Operation } from './client.ts';
import { number, titleOf } from './format.ts';
import { CheckField, Field, Form } from './form.tsx';
import { pathOf } from './generic.ts';
import { Card, LinkButton, Note } from './parts.tsx';
import { RecordField } from './record-field.tsx';
import { RecordPage } from './record-page.tsx';
import { SimpleTable } from './simple-table.tsx';
import type { Column } from './table.tsx';

interface Outcome {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly errors: readonly RowError[];
  readonly errors_total: number;
  readonly ignored_columns: readonly string[];
  readonly dry_run: boolean;
}

interface RowError {
  readonly row: number;
  readonly field: string;
  readonly error: string;
}

interface ImportPageProps {
  /** `Import assets` */
  readonly title: string;
  readonly back: { readonly to: string; readonly title: string };
  /** Takes the file, and `dry_run`. */
  readonly operation: Operation;
  /** What a row must have, for the hint. */
  readonly columns: readonly string[];
}

const errorColumns: readonly Column<RowError>[] = [
  { key: 'row', title: 'Row', width: '', look: 'strong', cell: (each) => number(each.row) },
  { key: 'field', title: 'Field', width: '', cell: (each) => titleOf(each.field) },
  { key: 'error', title: 'What is wrong', width: '', cell: (each) => each.error },
];

/** The page of an import: what the file would do comes first, with every row that is refused. */
export function ImportPage({ title, back, operation, columns }: ImportPageProps) {
  const [judged, setJudged] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const forget = () => {
    setJudged(undefined);
    setError(null);
  };
  const send = async (given: FormData) => {
    const dry_run = judged === undefined;
    const file = given.get('file');
    const body = new FormData();
    if (file instanceof File) body.append('file', file, file.name);
    const company_number = given.get('company_number');
    const options = { dry_run, update_existing: given.get('update_existing') === 'true', company_number };
    setBusy(true);
    try {
      setJudged(dataOf(await ask(operation, { ...options, body })) as Outcome);
      setError(null);
      if (!dry_run) await stale(queries, [pathOf(operation)]);
    } catch (refused) {
      setError(refused as Error);
    } finally {
      setBusy(false);
    }
  };
  const done = judged?.dry_run === false;
  const good = judged ? judged.created + judged.updated : 0;
  return (
    <RecordPage title={title} back={back}>
      {!done && (
        <Form
          submit={judged ? `Import ${number(good)} rows` : 'Check the file'}
          busy={busy || (judged !== undefined && good === 0)}
          error={error}
          onCancel={judged && forget}
          onSubmit={(given) => void send(given)}
        >
          <Field name="file" label="File" hint={`CSV or Excel. Columns: ${columns.join(', ')}.`} required>
            {(control) => <input {...control} className="input" type="file" accept=".csv,.xlsx" onChange={forget} />}
          </Field>
          <RecordField
            type="company"
            name="company_number"
            label="Company"
            hint="Of the rows that name none."
            onPick={forget}
          />
          <CheckField name="update_existing" label="Update those that are there already" />
        </Form>
      )}
      {judged && <Result of={judged} />}
      {done && (
        <LinkButton to={back.to} look="primary">
          Go to the list
        </LinkButton>
      )}
    </RecordPage>
  );
}

function Result({ of }: { of: Outcome }) {
  const { total, created, updated, failed, errors, errors_total, ignored_columns, dry_run } = of;
  const said = `${number(created)} new, ${number(updated)} updated, ${number(failed)} refused, of ${number(total)} rows`;
  return (
    <>
      <Note tone={failed > 0 ? 'warn' : 'ok'} title={dry_run ? 'Nothing is stored yet.' : 'The file is imported.'}>
        {said}.
      </Note>
      {ignored_columns.length > 0 && <Note title="Columns that are not known:">{ignored_columns.join(', ')}</Note>}
      {errors.length > 0 && (
        <Card
          title={errors.length < errors_total ? `The first ${errors.length} of ${errors_total} faults` : 'Refused rows'}
          flush
        >
          <SimpleTable label="Refused rows" rows={errors} columns={errorColumns} />
        </Card>
      )}
    </>
  );
}
