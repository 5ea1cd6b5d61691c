// Form fields of a workflow condition.
import { rawText, SelectField, TextField, words, t } from '@keelson/web';

const operators = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: t('is not') },
  { value: 'in', label: t('is one of') },
  { value: 'contains', label: 'contains' },
  { value: 'gt', label: t('is greater than') },
  { value: 'lt', label: t('is less than') },
  { value: 'empty', label: t('is empty') },
  { value: 'changed', label: t('has changed') },
];

export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

export function ConditionFields({ condition, at }: { condition: Condition | undefined; at: string }) {
  return (
    <div className="step-fields">
      <TextField
        name={`${at}.field`}
        label={t('Field')}
        value={condition?.field}
        placeholder={t('priority')}
        required
      />
      <SelectField
        name={`${at}.operator`}
        label={t('Comparison')}
        value={condition?.operator ?? 'eq'}
        choices={operators}
        required
      />
      <TextField
        name={`${at}.value`}
        label={t('Value')}
        value={textOf(condition?.value)}
        hint={t('Separate values with commas. Quote text that looks like a number.')}
      />
    </div>
  );
}

/** Describes a condition in words: `Priority is one of 1, 2`. */
export const conditionInWords = ({ field, operator, value }: Condition): string =>
  [words(field), operators.find((each) => each.value === operator)?.label ?? words(operator), spoken(value)]
    .filter(Boolean)
    .join(' ');

/** Builds the request payload with numbers and booleans converted. */
export function readCondition(given: FormData, at: string): Condition {
  const [field, operator, text] = ['field', 'operator', 'value'].map((name) => rawText(given, `${at}.${name}`).trim());
  const compared = { field: field ?? '', operator: operator ?? '' };
  if (text === undefined || text === '') return compared;
  if (operator === 'in') return { ...compared, value: text.split(',').map(literal) };
  return { ...compared, value: operator === 'contains' ? text : literal(text) };
}

function literal(typed: string): string | number | boolean | null {
  const text = typed.trim();
  if (/^".*"$/s.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Formats a value in words: `on hold`, `1, 2`. */
function spoken(value: unknown): string {
  if (Array.isArray(value)) return value.map(spoken).join(', ');
  return typeof value === 'string' && /^[a-z]+(_[a-z]+)+$/.test(value) ? words(value) : textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' && typeof literal(value) === 'string' ? value : JSON.stringify(value);
}
