// Form fields of a workflow condition: which field, how it compares, and with what.
import {
  inputTime,
  plainText,
  rawText,
  RecordField,
  RecordName,
  RecordsField,
  SelectField,
  SelectSeveralField,
  TextField,
  Time,
  words,
  t,
} from '@keelson/web';
import { Fragment, useState, type ReactNode } from 'react';
import { comparisonName, comparisonsOf, type Comparable, type Comparison } from './condition-kind.tsx';

export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

interface ConditionFieldsProps {
  readonly condition: Condition | undefined;
  readonly at: string;
  readonly fields: readonly Comparable[];
  /** Whether the trigger knows which fields changed. */
  readonly changes: boolean;
}

export function ConditionFields({ condition, at, fields, changes }: ConditionFieldsProps) {
  const [name, setName] = useState(condition?.field ?? '');
  const [comparison, setComparison] = useState<Comparison>(comparisonOf(condition));
  const [resets, setResets] = useState(0);
  const chosen = fields.find((each) => each.name === name) ?? unknown(name);
  const offered = comparisonsOf(chosen.kind, comparison, { changes });
  const choose = (next: string) => {
    setName(next);
    const { kind } = fields.find((each) => each.name === next) ?? chosen;
    const [first = 'eq'] = comparisonsOf(kind, 'eq', { changes });
    if (comparisonsOf(kind, first, { changes }).includes(comparison)) return;
    setComparison(first);
    setResets(resets + 1);
  };
  const isList = comparison === 'in';
  const kept = condition?.field === name && Array.isArray(condition.value) === isList ? condition.value : undefined;
  return (
    <div className="step-fields">
      <input type="hidden" name={`${at}.kind`} value={chosen.kind} />
      <SelectField
        name={`${at}.field`}
        label={t('Field')}
        value={name}
        choices={fields.map((each) => ({ value: each.name, label: each.label }))}
        none={t('Choose a field')}
        onChoose={choose}
        required
      />
      <SelectField
        key={`${chosen.kind} ${resets}`}
        name={`${at}.operator`}
        label={t('Comparison')}
        value={comparison}
        choices={offered.map((each) => ({ value: each, label: comparisonName(each, chosen.kind) }))}
        onChoose={(next) => setComparison(next as Comparison)}
        required
      />
      <ComparedValue key={`${name} ${isList}`} of={chosen} {...{ at, comparison }} value={kept} />
    </div>
  );
}

const unknown = (name: string): Comparable => ({ name, label: words(name), kind: 'text', choices: [], type: '' });

interface ComparedValueProps {
  readonly of: Comparable;
  readonly at: string;
  readonly comparison: Comparison;
  readonly value: unknown;
}

function ComparedValue({ of: { kind, choices, type }, at, comparison, value }: ComparedValueProps) {
  const [several, setSeveral] = useState<readonly number[]>(() => (Array.isArray(value) ? value : []).map(Number));
  if (/empty|changed/.test(comparison)) return null;
  const common = { name: `${at}.value`, label: t('Value'), required: true } as const;
  const text = textOf(value);
  if (kind === 'record' && comparison === 'in')
    return (
      <div>
        <RecordsField
          {...common}
          name={`${at}.another`}
          type={type}
          another={t('Another value')}
          remove={t('Remove value')}
          chosen={several}
          onChange={setSeveral}
        />
        <input type="hidden" name={common.name} value={several.join()} />
      </div>
    );
  if (kind === 'record') return <RecordField {...common} type={type} value={text} />;
  if (kind === 'flag') return <SelectField {...common} value={text} choices={yesAndNo} />;
  if (kind === 'choice' && comparison === 'in')
    return <SelectSeveralField {...common} choices={choices} values={texts(value)} />;
  if (kind === 'choice') return <SelectField {...common} value={text} choices={choices} none={t('Choose a value')} />;
  if (comparison === 'in') return <TextField {...common} value={text} hint={t('Separate values with commas.')} />;
  if (kind === 'number') return <TextField {...common} type="number" step="any" value={text} />;
  if (kind === 'moment') return <TextField {...common} type="datetime-local" value={inputTime(text)} />;
  return <TextField {...common} type={kind === 'day' ? 'date' : 'text'} value={text} />;
}

const yesAndNo = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
];

/** Describes a condition in words: `Priority is one of Critical, High`. */
export function ConditionInWords({ condition, fields }: { condition: Condition; fields: readonly Comparable[] }) {
  const of = fields.find((each) => each.name === condition.field) ?? unknown(condition.field);
  const comparison = comparisonOf(condition);
  const given = /empty|changed/.test(comparison) ? [] : [condition.value].flat();
  return (
    <>
      {of.label} {comparisonName(comparison, of.kind)}
      {given.map((each, at) => (
        <Fragment key={at}>
          {at === 0 ? ' ' : ', '}
          {spoken(of, each)}
        </Fragment>
      ))}
    </>
  );
}

function spoken({ kind, choices, type }: Comparable, value: unknown): ReactNode {
  const text = plainText(value);
  if (kind === 'record' && typeof value === 'number') return <RecordName type={type} id={value} />;
  if (kind === 'moment') return <Time at={text} />;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  return choices.find((each) => each.value === value)?.label ?? text;
}

/** Reads a condition from the form, with its value in the field's type. */
export function readCondition(given: FormData, at: string): Condition {
  const field = rawText(given, `${at}.field`);
  const comparison = rawText(given, `${at}.operator`);
  const operator = comparison.replace(/^not_/, '');
  if (operator !== comparison) return { field, operator, value: false };
  if (operator === 'empty' || operator === 'changed') return { field, operator };
  const kind = rawText(given, `${at}.kind`);
  const typed = given.getAll(`${at}.value`).map((each) => (typeof each === 'string' ? each.trim() : ''));
  // Values of choices, numbers and ids are split at commas, which they never contain.
  if (operator === 'in') return { field, operator, value: typed.flatMap((each) => each.split(',')).map(typeOf(kind)) };
  return { field, operator, value: typeOf(kind)(typed[0] ?? '') };
}

const typeOf = (kind: string) => (text: string) => {
  const plain = text.trim();
  if (kind === 'flag') return plain === 'true';
  if (kind === 'moment') return new Date(plain).toISOString();
  const isNumber = kind === 'number' || kind === 'record' || (kind === 'choice' && /^\d+$/.test(plain));
  return isNumber ? Number(plain) : plain;
};

function comparisonOf(condition: Condition | undefined): Comparison {
  const { operator = 'eq', value } = condition ?? {};
  const opposite = value === false && (operator === 'empty' || operator === 'changed');
  return (opposite ? `not_${operator}` : operator) as Comparison;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value : []).map(plainText);

const textOf = (value: unknown): string => (Array.isArray(value) ? texts(value).join(', ') : plainText(value));
