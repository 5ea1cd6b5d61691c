import { Fact, Facts, money, percent, t } from '@keelson/web';
import type { Sums } from './line-sums.ts';

/** The totals below a table of lines. */
export function Totals({ sums, currency }: { sums: Sums; currency: string }) {
  return (
    <div className="totals" role="status" aria-label={t('Totals')}>
      <Facts>
        <Fact name={t('Subtotal')}>{money(sums.subtotal, currency)}</Fact>
        {sums.taxes.map(({ rate, tax }) => (
          <Fact key={rate} name={t('Tax ({rate})', { rate: percent(rate) })}>
            {money(tax, currency)}
          </Fact>
        ))}
        <Fact name={t('Total')}>
          <b>{money(sums.total, currency)}</b>
        </Fact>
      </Facts>
    </div>
  );
}
