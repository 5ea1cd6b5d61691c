// Result of an import or dry run: totals and every refused row.
import { useEffect, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { Card, Note } from '../components/parts.tsx';
import { counted, number, titleOf } from '../format.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import type { Column } from '../list/table.tsx';
import { t } from '../shell/words.ts';

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
  { key: 'row', title: t('Row'), width: '', look: 'strong', cell: (each) => number(each.row) },
  { key: 'field', title: t('Field'), width: '', cell: (each) => titleOf(each.field) },
  { key: 'error', title: t('Problem'), width: '', cell: problemOf },
];

export function ImportOutcome({ of }: { of: Outcome }) {
  const { total, created, updated, failed, errors, errors_total, dry_run } = of;
  const said = t('{created} new, {updated} updated, {failed} rejected, of {total}', {
    created: number(created),
    updated: number(updated),
    failed: number(failed),
    total: counted(total, 'rows'),
  });
  return (
    <>
      <Note
        tone={failed > 0 ? 'warn' : 'ok'}
        title={dry_run ? t('Nothing has been imported yet.') : t('Import complete.')}
      >
        {said}.
      </Note>
      {errors.length > 0 && (
        <Card
          title={
            errors.length < errors_total
              ? t('First {length} of {errors_total} errors', { length: errors.length, errors_total })
              : t('Rejected rows')
          }
          act={<Report errors={errors} />}
          flush
        >
          <SimpleTable label={t('Rejected rows')} rows={errors} columns={errorColumns} />
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
    const lines = [[t('Row'), t('Field'), t('Problem')], ...errors.map(cells)];
    const text = lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
    const made = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }));
    setHref(made);
    return () => URL.revokeObjectURL(made);
  }, [errors]);
  return (
    <a className="button small" href={href} download="refused-rows.csv">
      <Icon name="download" /> {t('Report')}
    </a>
  );
}
