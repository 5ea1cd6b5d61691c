// Invoice form: editable lines with totals, dates, tax rate and notes.
import { Button, Form, RecordField, TextField, t } from '@keelson/web';
import { useState, type ReactNode } from 'react';
import { decimalText } from './decimals.tsx';
import { LineEditor } from './line-editor.tsx';
import { sumsOf, type DraftLine } from './line-sums.ts';
import { mergeLines, same } from './merge-lines.ts';
import { Totals } from './totals.tsx';

export interface InvoiceValues {
  readonly company_number?: number | undefined;
  readonly issue_date?: string | undefined;
  readonly due_date?: string | undefined;
  readonly tax_rate: string;
  readonly notes?: string | undefined;
  readonly lines: readonly DraftLine[];
}

/** The lines and the tax rate, and the other fields. */
export interface FilledIn {
  readonly values: InvoiceValues;
  readonly given: FormData;
}

interface InvoiceFormProps {
  readonly values: InvoiceValues;
  readonly currency: string;
  readonly submit: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onCancel: () => void;
  /** Takes what the form contains now, and what it contained when it was opened. */
  readonly onSubmit: (now: FilledIn, opened: FilledIn) => void;
  /** Reports the chosen company of a new invoice, so that its time can be shown. */
  readonly onCompany?: (company_number: number | undefined) => void;
  /** Opens the billable time; absent if there is none. */
  readonly onTime?: (() => void) | undefined;
  /** Content below the lines, such as time to be added. */
  readonly children?: ReactNode;
}

export function InvoiceForm(props: InvoiceFormProps) {
  const { values: current, currency, submit, busy, error, onCancel, onSubmit, onCompany, onTime, children } = props;
  const [values] = useState(current);
  const [lines, setLines] = useState(values.lines);
  const [known, setKnown] = useState(values.lines);
  const [rate, setRate] = useState(values.tax_rate);
  // Saving replaces all lines, so the form follows what colleagues do to the others meanwhile.
  if (!same(known, current.lines)) {
    setKnown(current.lines);
    setLines(mergeLines(lines, known, current.lines));
  }
  const sums = sumsOf(lines, rate, currency);
  return (
    <Form
      submit={submit}
      busy={busy}
      error={error}
      onCancel={onCancel}
      onSubmit={(given, opened) =>
        onSubmit(
          { values: { ...values, tax_rate: rate, lines }, given },
          { values: { ...values, lines: known }, given: opened },
        )
      }
    >
      {onCompany && (
        <RecordField
          type="company"
          name="company_number"
          label={t('Company')}
          required
          value={values.company_number}
          onPick={(picked) => onCompany(picked && Number(picked.id))}
        />
      )}
      <div className="trio">
        <TextField
          name="issue_date"
          label={t('Issue date')}
          type="date"
          value={values.issue_date}
          hint={onCompany && t('Defaults to today.')}
        />
        <TextField
          name="due_date"
          label={t('Due date')}
          type="date"
          value={values.due_date}
          hint={onCompany && t('Defaults to 30 days after the issue date.')}
        />
        <div className="field">
          <label htmlFor="invoice-rate">
            {t('Tax %')}
            <span className="optional"> {t('optional')}</span>
          </label>
          <input
            id="invoice-rate"
            className="input"
            inputMode="decimal"
            pattern="[0-9]*([.,][0-9]+)?"
            value={decimalText(rate)}
            onChange={(event) => setRate(event.target.value)}
          />
          <p className="field-hint">{t('For lines without their own rate.')}</p>
        </div>
      </div>
      <LineEditor
        lines={lines}
        onChange={setLines}
        currency={currency}
        rate={rate}
        acts={
          onTime && (
            <Button size="small" icon="clock" onClick={onTime}>
              {t('Add worked time')}
            </Button>
          )
        }
      />
      {children}
      <Totals sums={sums} currency={currency} />
      <TextField name="notes" label={t('Notes to customer')} lines={3} value={values.notes} />
    </Form>
  );
}
