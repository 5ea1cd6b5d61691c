import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ask, dataOf, stale } from './client.ts';
import { confirm } from './confirm.tsx';
import { valuesOf } from './fields.ts';
import { Form } from './form.tsx';
import { idArgument, type ActDeclaration } from './generic.ts';
import { Dialog } from './menu.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { useMay } from './session.tsx';
import { toast } from './toast.tsx';

interface Act {
  readonly act: ActDeclaration;
  /** The id of the record it is done to. */
  readonly id?: unknown;
  readonly touches: readonly string[];
  readonly onDone?: (answer: unknown) => void;
}

/** Does a declared operation. */
export function useAct({ act, id, touches, onDone }: Act) {
  const client = useQueryClient();
  const args = id === undefined ? {} : { [idArgument(act.operation)]: id };
  return useMutation<unknown, Error, Record<string, unknown> | undefined>({
    mutationFn: async (body) => dataOf(await ask(act.operation, { ...args, ...(body && { body }) })),
    onSuccess: (answer) => onDone?.(answer),
    onSettled: () => stale(client, touches),
  });
}

/** Whether an act is offered to the person: to those who hold its permission. The server decides anyway. */
export function useOffered(): (act: ActDeclaration) => boolean {
  const may = useMay();
  return ({ access }) => !access || may(access);
}

/** The fields of an act's form; one without any needs no form. */
export const fieldsOf = ({ fields, body }: ActDeclaration): readonly string[] =>
  fields ?? Object.keys(body?.fields ?? {});

interface ActDialogProps extends Act {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Fields left empty are cleared, as in a form that changes a record. */
  readonly clear?: boolean;
}

/** The form of an operation, made from the schema of its body. */
export function ActDialog({ title, open, onClose, values, clear = false, ...act }: ActDialogProps) {
  const onDone = (answer: unknown) => {
    toast('Saved');
    onClose();
    act.onDone?.(answer);
  };
  const change = useAct({ ...act, onDone });
  const names = fieldsOf(act.act);
  const schema = act.act.body ?? { fields: {}, required: [] };
  return (
    <Dialog title={title} open={open} onClose={onClose} wide={names.some((name) => schema.fields[name]?.fields)}>
      <Form
        submit={title}
        busy={change.isPending}
        error={change.error}
        names={names}
        onCancel={onClose}
        onSubmit={(given) => change.mutate(valuesOf(given, schema, names, clear))}
      >
        <SchemaFields schema={schema} names={names} {...(values && { values })} />
      </Form>
    </Dialog>
  );
}

/** Asks where a declaration says so. */
export async function sure(act: ActDeclaration, danger = false): Promise<boolean> {
  return !act.confirm || confirm({ title: act.confirm, act: act.title ?? 'Go on', danger });
}
