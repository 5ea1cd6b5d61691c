import { Fact, Facts, money } from '@keelson/web';
import type { Sums } from './line-sums.ts';

/** The totals below a table of lines. */
export function Totals({ sums, currency }: { sums: Sums; currency: string }) {
  return (
    <div className="totals" role="status" aria-label="Totals">
      <Facts>
        <Fact name="Subtotal">{money(sums.subtotal, currency)}</Fact>
        {sums.taxes.map(({ rate, tax }) => (
          <Fact key={rate} name={`Tax (${rate} %)`}>
            {money(tax, currency)}
          </Fact>
        ))}
        <Fact name="Total">
          <b>{money(sums.total, currency)}</b>
        </Fact>
      </Facts>
    </div>
  );
}
