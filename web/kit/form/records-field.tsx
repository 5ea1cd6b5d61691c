// Picker for several records, such as companies: those picked stand below it.
import { IconButton } from '../components/parts.tsx';
import { RecordField, RecordName } from './record-field.tsx';

interface RecordsFieldProps {
  /** Record type as declared: `company`. */
  readonly type: string;
  readonly name: string;
  /** Names the list, and the picker while it is empty. */
  readonly label: string;
  /** Names the picker once there are records: `Another company`. */
  readonly another: string;
  /** Names the buttons that remove a record. */
  readonly remove: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}

export function RecordsField(props: RecordsFieldProps) {
  const { type, name, label, another, remove, hint, required = false, chosen, onChange } = props;
  return (
    <>
      <RecordField
        // Cleared after each choice.
        key={chosen.join()}
        type={type}
        name={name}
        label={chosen.length > 0 ? another : label}
        required={required && chosen.length === 0}
        {...(hint && { hint })}
        onPick={(picked) => {
          const id = Number(picked?.id);
          if (picked && !chosen.includes(id)) onChange([...chosen, id]);
        }}
      />
      {chosen.length > 0 && (
        <ul className="record-tags" aria-label={label}>
          {chosen.map((id) => (
            <li key={id}>
              <RecordName type={type} id={id} />
              <IconButton
                icon="x"
                label={remove}
                className="quiet"
                onClick={() => onChange(chosen.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
