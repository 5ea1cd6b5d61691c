// Result of an import or dry run: totals and every refused row.
import { useEffect, useState } from 'react';
import { counted, number, titleOf } from './format.ts';
import { Icon } from './icon.tsx';
import { Card, Note } from './parts.tsx';
import { SimpleTable } from './simple-table.tsx';
import type { Column } from './table.tsx';

export interface Outcome {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly errors: readonly RowError[];
  readonly errors_total: number;
  readonly ignored_columns: readonly string[];
  readonly dry_run: boolean;
  readonly import_id: number | null;
}

interface RowError {
  readonly row: number;
  readonly field: string;
  readonly error: string;
}

/** Removes the field name, which the table shows in its own column. */
const problemOf = ({ field, error }: RowError): string => {
  const rest = error.startsWith(`${field} `) ? error.slice(field.length + 1) : error;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

const errorColumns: readonly Column<RowError>[] = [
  { key: 'row', title: 'Row', width: '', look: 'strong', cell: (each) => number(each.row) },
  { key: 'field', title: 'Field', width: '', cell: (each) => titleOf(each.field) },
  { key: 'error', title: 'Problem', width: '', cell: problemOf },
];

export function ImportOutcome({ of }: { of: Outcome }) {
  const { total, created, updated, failed, errors, errors_total, dry_run } = of;
  const said = `${number(created)} new, ${number(updated)} updated, ${number(failed)} rejected, of ${counted(total, 'rows')}`;
  return (
    <>
      <Note tone={failed > 0 ? 'warn' : 'ok'} title={dry_run ? 'Nothing has been imported yet.' : 'Import complete.'}>
        {said}.
      </Note>
      {errors.length > 0 && (
        <Card
          title={errors.length < errors_total ? `First ${errors.length} of ${errors_total} errors` : 'Rejected rows'}
          act={<Report errors={errors} />}
          flush
        >
          <SimpleTable label="Rejected rows" rows={errors} columns={errorColumns} />
        </Card>
      )}
    </>
  );
}

/** Download of the refused rows for correction in a spreadsheet. */
function Report({ errors }: { errors: readonly RowError[] }) {
  const [href, setHref] = useState<string>();
  useEffect(() => {
    const cells = (each: RowError) => [String(each.row), titleOf(each.field), problemOf(each)];
    const lines = [['Row', 'Field', 'Problem'], ...errors.map(cells)];
    const text = lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
    const made = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }));
    setHref(made);
    return () => URL.revokeObjectURL(made);
  }, [errors]);
  return (
    <a className="button small" href={href} download="refused-rows.csv">
      <Icon name="download" /> Report
    </a>
  );
}
