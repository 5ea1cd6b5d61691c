// Proposal form: editable lines with a total.
import { Form, rawText, RecordField, TextField, t } from '@keelson/web';
import { useState } from 'react';
import { LineEditor, numbersOf, written } from './line-editor.tsx';
import { sumsOf, type DraftLine } from './line-sums.ts';
import { Totals } from './totals.tsx';

export interface ProposalValues {
  readonly title?: string;
  readonly description?: string;
  readonly valid_until?: string | null;
  readonly lines: readonly DraftLine[];
}

interface ProposalFormProps {
  readonly values: ProposalValues;
  readonly currency: string;
  /** The company of a new proposal; undefined once it is fixed. */
  readonly company?: { readonly number: number | undefined };
  readonly submit: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onCancel: () => void;
  /** Takes the whole form, the body with which it was opened, and the fields. */
  readonly onSubmit: (body: ProposalBody, opened: ProposalBody, given: FormData) => void;
}

const bodyOf = (lines: readonly DraftLine[], given: FormData) => ({
  title: rawText(given, 'title'),
  description: rawText(given, 'description'),
  valid_until: rawText(given, 'valid_until') || null,
  line_items: written(lines).map((line) => ({ description: line.description.trim(), ...numbersOf(line) })),
});

type ProposalBody = ReturnType<typeof bodyOf>;

export function ProposalForm(props: ProposalFormProps) {
  const { currency, company, submit, busy, error, onCancel, onSubmit } = props;
  const [values] = useState(props.values);
  const [lines, setLines] = useState(values.lines);
  return (
    <Form
      submit={submit}
      busy={busy}
      error={error}
      onCancel={onCancel}
      onSubmit={(given, opened) => onSubmit(bodyOf(lines, given), bodyOf(values.lines, opened), given)}
    >
      {company && (
        <RecordField type="company" name="company_number" label={t('Company')} required value={company.number} />
      )}
      <div className="trio">
        <TextField name="title" label={t('Title')} value={values.title} max={255} required />
        <TextField name="valid_until" label={t('Valid until')} type="date" value={values.valid_until} />
      </div>
      <TextField name="description" label={t('Description')} lines={4} value={values.description} />
      <LineEditor lines={lines} onChange={setLines} currency={currency} />
      <Totals sums={sumsOf(lines, '', currency)} currency={currency} />
    </Form>
  );
}
