// Chart of figures over time, with a table for screen readers. The chart library is loaded on demand.
import { useEffect, useRef } from 'react';
import { number } from '../format.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import { t } from '../shell/words.ts';

export interface ChartProps {
  readonly title: string;
  readonly points: readonly { readonly label: string; readonly value: number }[];
  /** A line suits values over time, bars suit any others. */
  readonly kind?: 'bar' | 'line';
}

/** Bar or line chart with labels, and its values as a table. */
export function Chart({ title, points, kind = 'bar' }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || points.length === 0) return;
    let end = () => {};
    let gone = false;
    void import('./chart-draw.ts').then(({ draw }) => {
      if (!gone) end = draw(element, { title, points, kind });
    });
    return () => {
      gone = true;
      end();
    };
  }, [title, points, kind]);
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div ref={box} className="chart-canvas" aria-hidden="true" />
      <details>
        <summary>{t('View as table')}</summary>
        <SimpleTable
          label={title}
          rows={points}
          columns={[
            { key: 'label', title: t('When'), width: '', cell: (each) => each.label },
            { key: 'value', title: t('Value'), width: '', look: 'right', cell: (each) => number(each.value) },
          ]}
        />
      </details>
    </figure>
  );
}
