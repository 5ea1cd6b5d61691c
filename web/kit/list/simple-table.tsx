// Short table without windowing.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../shell/words.ts';
import type { Column } from './table.tsx';

interface SimpleTableProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly to?: ((row: R) => string) | undefined;
  readonly empty?: ReactNode;
}

export function SimpleTable<R>({ label, rows, columns, to, empty = t('None') }: SimpleTableProps<R>) {
  if (rows.length === 0) return <p className="none">{empty}</p>;
  return (
    <div className="simple-table" tabIndex={0} role="region" aria-label={label}>
      <table className="stacked">
        <thead>
          <tr>
            {columns.map((each) => (
              <th key={each.key} scope="col" className={each.look}>
                {each.untitled ? <span className="hidden">{each.title}</span> : each.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((each, column) => (
                <td key={each.key} className={each.look} data-title={each.untitled ? undefined : each.title}>
                  {to && column === 0 ? <Link href={to(row)}>{each.cell(row)}</Link> : each.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
