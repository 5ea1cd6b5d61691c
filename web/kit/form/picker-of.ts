interface Searchable {
  readonly type: string;
  /** The field with a record's id: `company_number`. */
  readonly id: string;
  /** The operation that searches them. */
  readonly find?: string | null | undefined;
}

/** Returns the searchable record type that a field such as `company_number` refers to. */
export function pickerOf<R extends Searchable>(
  records: readonly R[],
  name: string,
  { type, record }: { readonly type: string; readonly record?: string },
): R | undefined {
  if (type !== 'integer') return undefined;
  if (record !== undefined) return records.find((each) => each.find && each.type === record);
  const plain = name === 'assigned_to' ? 'user_id' : name;
  return records.find((each) => each.find && (each.id === plain || plain.endsWith(`_${each.id}`)));
}
