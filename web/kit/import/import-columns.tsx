// Column mapping and date format of an import file.
import { Note } from '../components/parts.tsx';
import { t } from '../shell/words.ts';
import type { Preview } from './import-page.tsx';

/** The person's mapping choices. */
export interface Matching {
  /** Field by column name; '' skips the column. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly dates: string;
}

const dateForms = { ymd: t('Year, month, day'), dmy: t('Day, month, year'), mdy: t('Month, day, year') };

/** Remembers the mapping in this browser for files with the same columns. */
const keyOf = (operation: string, { columns }: Preview): string =>
  `keelson.import ${operation} ${columns.map(({ name }) => name).join(' ')}`.slice(0, 500);

/** Returns the remembered mapping for such a file, or a guess. */
export function keptMapping(operation: string, seen: Preview): Matching {
  const guessed = {
    mapping: Object.fromEntries(seen.columns.map(({ name, field }) => [name, field ?? ''])),
    dates: seen.dates ?? '',
  };
  const kept = localStorage.getItem(keyOf(operation, seen));
  if (!kept) return guessed;
  const { mapping, dates } = JSON.parse(kept) as Matching;
  return { mapping: { ...guessed.mapping, ...mapping }, dates: seen.dates ?? dates };
}

export const keepMapping = (operation: string, seen: Preview, matching: Matching): void =>
  localStorage.setItem(keyOf(operation, seen), JSON.stringify(matching));

/** Returns the required fields not mapped to any column. */
function missingIn({ fields }: Preview, { mapping }: Matching): string[] {
  const taken = new Set(Object.values(mapping));
  return fields
    .filter(({ name, required, or }) => required && !taken.has(name) && !(or && taken.has(or)))
    .map(({ label }) => label);
}

const usesDates = ({ fields }: Preview, { mapping }: Matching): boolean =>
  fields.some(({ name, type }) => type === 'date' && Object.values(mapping).includes(name));

export const isComplete = (seen: Preview, matching: Matching): boolean =>
  missingIn(seen, matching).length === 0 && !(seen.ambiguous_dates && usesDates(seen, matching) && !matching.dates);

interface ImportColumnsProps {
  readonly seen: Preview;
  readonly matching: Matching;
  readonly onChange: (matching: Matching) => void;
}

export function ImportColumns({ seen, matching, onChange }: ImportColumnsProps) {
  const { mapping, dates } = matching;
  const missing = missingIn(seen, matching);
  const choose = (column: string, field: string) => {
    // A field maps to one column only, so clear its previous column.
    const others = Object.entries(mapping).map(([name, before]) => [name, before === field ? '' : before]);
    onChange({ ...matching, mapping: { ...Object.fromEntries(others), [column]: field } });
  };
  return (
    <>
      <table className="import-columns">
        <thead>
          <tr>
            <th scope="col">{t('File column')}</th>
            <th scope="col">{t('Example')}</th>
            <th scope="col">{t('Field')}</th>
          </tr>
        </thead>
        <tbody>
          {seen.columns.map(({ name, samples }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="tone-muted">{samples.join(' · ')}</td>
              <td>
                <select
                  className="input"
                  aria-label={t('{name} becomes', { name })}
                  value={mapping[name] ?? ''}
                  onChange={(event) => choose(name, event.target.value)}
                >
                  <option value="">{t('Skip')}</option>
                  {seen.fields.map((each) => (
                    <option key={each.name} value={each.name}>
                      {each.label}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {missing.length > 0 && (
        <Note tone="warn" title={t('Still missing:')}>
          {t('{missing}. Map them to columns.', { missing: missing.join(', ') })}
        </Note>
      )}
      {usesDates(seen, matching) && (
        <div className="field">
          <label htmlFor="import-dates">{t('Date format')}</label>
          <select
            id="import-dates"
            className="input"
            value={dates}
            onChange={(event) => onChange({ ...matching, dates: event.target.value })}
          >
            <option value="">{seen.ambiguous_dates ? t('Choose') : t('Detect automatically')}</option>
            {Object.entries(dateForms).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          {seen.ambiguous_dates && (
            <p className="field-hint">
              {t('The dates are ambiguous: choose whether the day or the month comes first.')}
            </p>
          )}
        </div>
      )}
    </>
  );
}
