// Editable table of the lines of an invoice or a proposal.
import { Button, IconButton, Kbd, money, RecordField, unitPrice, useItem, type Picked, t } from '@keelson/web';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { decimalText } from './decimals.tsx';
import { amountOf, type DraftLine } from './line-sums.ts';

interface LineEditorProps {
  readonly lines: readonly DraftLine[];
  readonly onChange: (lines: readonly DraftLine[]) => void;
  readonly currency: string;
  /** Default tax rate of lines, in per cent. Lines have no tax without it. */
  readonly rate?: string;
  /** Further buttons that add lines, besides manual and product lines. */
  readonly acts?: ReactNode;
}

/** Returns a new, blank line. */
export const emptyLine = (): DraftLine => ({
  key: crypto.randomUUID(),
  description: '',
  quantity: '1',
  unit_price: '',
  tax_rate: '',
});

/** Returns the lines that are not blank. */
export const written = (lines: readonly DraftLine[]): DraftLine[] =>
  lines.filter(({ description, unit_price }) => description.trim() !== '' || unit_price.trim() !== '');

/** Returns the numbers of a line as the API expects them. Leaves out `tax_rate` where the invoice's applies. */
export const numbersOf = ({ quantity, unit_price }: DraftLine) => ({
  quantity: Number((quantity || '1').replace(',', '.')),
  unit_price: Number(unit_price.replace(',', '.')),
});

export function LineEditor({ lines, onChange, currency, rate, acts }: LineEditorProps) {
  const [picking, setPicking] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const change = (key: string, part: Partial<DraftLine>) =>
    onChange(lines.map((each) => (each.key === key ? { ...each, ...part } : each)));
  const focusLine = (at: number) =>
    table.current?.querySelectorAll('tbody tr')[at]?.querySelector<HTMLElement>('textarea')?.focus();
  // Passes the line itself, so that no keystroke of a fast typist is lost.
  const next = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (next.current !== undefined) focusLine(next.current);
    next.current = undefined;
  }, [lines]);
  const add = (line: DraftLine) => {
    next.current = lines.length;
    onChange([...lines, line]);
  };
  const remove = (at: number) => {
    next.current = Math.min(at, lines.length - 2);
    onChange(lines.filter((_, index) => index !== at));
  };
  return (
    <div className="line-editor">
      <table ref={table} onKeyDown={(event) => onKey(event, { lines, add, focusLine, remove })}>
        <thead>
          <tr>
            <th scope="col">{t('Description')}</th>
            <th scope="col" className="right">
              {t('Quantity')}
            </th>
            <th scope="col" className="right">
              {t('Unit price')}
            </th>
            {rate !== undefined && (
              <th scope="col" className="right">
                {t('Tax %')}
              </th>
            )}
            <th scope="col" className="right">
              {t('Amount')}
            </th>
            <th scope="col">
              <span className="hidden">{t('Remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <LineRow
              key={line.key}
              line={line}
              number={index + 1}
              currency={currency}
              rate={rate}
              onChange={(part) => change(line.key, part)}
              onRemove={() => remove(index)}
            />
          ))}
        </tbody>
      </table>
      <div className="line-acts">
        <Button size="small" icon="plus" onClick={() => add(emptyLine())}>
          {t('Add line')}
        </Button>
        <Button size="small" icon="cart" onClick={() => setPicking(true)} disabled={picking}>
          {t('Add product')}
        </Button>
        {acts}
        <small className="tone-muted line-keys">
          <Kbd>{t('Enter')}</Kbd> {t('next line,')} <Kbd>{t('Ctrl')}</Kbd> <Kbd>{t('Shift')}</Kbd>{' '}
          <Kbd>{t('Delete')}</Kbd> {t('removes it')}
        </small>
      </div>
      {picking && (
        <ProductField
          currency={currency}
          onDone={(line) => {
            setPicking(false);
            if (line) add(line);
          }}
        />
      )}
    </div>
  );
}

interface Acts {
  readonly lines: readonly DraftLine[];
  readonly add: (line: DraftLine) => void;
  readonly focusLine: (at: number) => void;
  readonly remove: (at: number) => void;
}

/**
 * Enter goes to the next line and adds one after the last; Delete with Shift and Ctrl or Cmd removes the line, and
 * Delete alone a blank one. Ctrl+Delete deletes a word, and input methods use Enter to confirm a composition.
 */
function onKey(event: KeyboardEvent, { lines, add, focusLine, remove }: Acts): void {
  if (event.nativeEvent.isComposing) return;
  const row = event.target instanceof Element ? event.target.closest('tr') : null;
  if (!row || event.target instanceof HTMLButtonElement) return;
  const at = row.rowIndex - 1;
  const blank = written(lines.slice(at, at + 1)).length === 0;
  if (event.key === 'Delete' && ((event.shiftKey && (event.ctrlKey || event.metaKey)) || blank)) {
    event.preventDefault();
    remove(at);
  } else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (at === lines.length - 1) add(emptyLine());
    else focusLine(at + 1);
  }
}

interface LineRowProps {
  readonly line: DraftLine;
  readonly number: number;
  readonly currency: string;
  readonly rate: string | undefined;
  readonly onChange: (part: Partial<DraftLine>) => void;
  readonly onRemove: () => void;
}

function LineRow({ line, number, currency, rate, onChange, onRemove }: LineRowProps) {
  const id = useId();
  const amount = amountOf(line, currency);
  const numeric = (name: 'quantity' | 'unit_price' | 'tax_rate', label: string, placeholder?: string) => (
    <td className="right" data-title={label}>
      <input
        className="input"
        inputMode="decimal"
        aria-label={t('{label} of line {number}', { label, number })}
        aria-describedby={line.note ? id : undefined}
        value={decimalText(line[name])}
        placeholder={placeholder && decimalText(placeholder)}
        required={name === 'unit_price'}
        pattern="-?[0-9]*[.,]?[0-9]*"
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    </td>
  );
  return (
    <tr>
      <td data-title={t('Description')}>
        <textarea
          className="input"
          rows={Math.max(1, line.description.split('\n').length)}
          aria-label={t('Description of line {number}', { number })}
          value={line.description}
          required
          onChange={(event) => onChange({ description: event.target.value })}
        />
        {line.note && (
          <small id={id} className="tone-muted">
            {line.note}
          </small>
        )}
      </td>
      {numeric('quantity', t('Quantity'))}
      {numeric('unit_price', t('Unit price'))}
      {rate !== undefined && numeric('tax_rate', t('Tax'), rate || '0')}
      <td className="right amount" data-title={t('Amount')}>
        {amount === undefined ? '–' : money(amount, currency)}
      </td>
      <td>
        <IconButton icon="trash" label={t('Remove line {number}', { number })} onClick={onRemove} />
      </td>
    </tr>
  );
}

interface ProductFieldProps {
  readonly currency: string;
  readonly onDone: (line: DraftLine | undefined) => void;
}

/** Adds a product. A price in another currency is shown, but not taken over: it has to be converted. */
function ProductField({ currency, onDone }: ProductFieldProps) {
  const [picked, setPicked] = useState<Picked>();
  const product = useItem(
    'GET /billing/products.php?id={id}',
    { id: Number(picked?.id ?? 0) },
    { enabled: Boolean(picked) },
  );
  const { data } = product;
  useEffect(() => {
    if (!data) return;
    const { name: description, price, product_id } = data;
    const priced =
      data.currency === currency
        ? { unit_price: String(price) }
        : { note: t('Price in the marketplace: {price}', { price: unitPrice(price, data.currency) }) };
    onDone({ ...emptyLine(), description, product_id, ...priced });
    // Create the line only once, when the product has loaded.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data]);
  return (
    <div className="product-field">
      <RecordField type="product" name="product_id" label={t('Product')} onPick={setPicked} />
      <Button size="small" onClick={() => onDone(undefined)}>
        {t('Cancel')}
      </Button>
    </div>
  );
}
