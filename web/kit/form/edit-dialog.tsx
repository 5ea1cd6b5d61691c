// Dialog that edits a record.
import type { ReactNode } from 'react';
import { Dialog } from '../components/menu.tsx';
import { toast } from '../components/toast.tsx';
import { editsOf, type BodySchema } from '../fields.ts';
import { useChange, type Operation } from '../request/client.ts';
import { t } from '../shell/words.ts';
import { useTurn } from '../shown.ts';
import { Form } from './form.tsx';
import { SchemaFields } from './schema-fields.tsx';

interface EditDialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Takes the edited fields as its body. */
  readonly operation: string;
  /** Arguments besides the body, such as the id. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly schema: BodySchema;
  /** Fields of the form, in display order. */
  readonly names: readonly string[];
  /** The record. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly touches: readonly string[];
  /** Controls, if the form does not have those of the schema alone. */
  readonly children?: ReactNode;
}

/** Form in a dialog that sends only the fields that were edited. */
export function EditDialog(props: EditDialogProps) {
  const { title, open, onClose, operation, args, schema, names, values, touches, children } = props;
  const turn = useTurn(open);
  const done = () => {
    toast(t('Saved'));
    if (turn.lasts()) onClose();
  };
  const change = useChange(operation as Operation, { quiet: open, touches, done });
  const submit = (given: FormData, opened: FormData) => {
    const body = editsOf(given, opened, schema, names);
    if (Object.keys(body).length === 0) return onClose();
    turn.begin();
    change.mutate({ ...args, body });
  };
  return (
    <Dialog title={title} open={open} onClose={onClose} wide={names.some((name) => schema.fields[name]?.fields)}>
      <Form submit={t('Save')} busy={change.isPending} error={change.error} onCancel={onClose} onSubmit={submit}>
        {children ?? <SchemaFields schema={schema} names={names} values={values} />}
      </Form>
    </Dialog>
  );
}
