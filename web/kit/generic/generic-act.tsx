import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/menu.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { valuesOf } from '../fields.ts';
import { Form } from '../form/form.tsx';
import { SchemaFields } from '../form/schema-fields.tsx';
import { ask, dataOf, stale } from '../request/client.ts';
import { useMay } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { useTurn } from '../shown.ts';
import { idArgument, type ActDeclaration } from './generic.ts';

interface Act {
  readonly act: ActDeclaration;
  /** Id of the target record. */
  readonly id?: unknown;
  readonly touches: readonly string[];
  readonly onDone?: (answer: unknown) => void;
  readonly onError?: (error: Error) => void;
}

/** Mutation for a declared operation. */
export function useAct({ act, id, touches, onDone, onError }: Act) {
  const client = useQueryClient();
  const args = id === undefined || !act.operation.includes('{') ? {} : { [idArgument(act.operation)]: id };
  return useMutation<unknown, Error, Record<string, unknown> | undefined>({
    mutationFn: async (body) => dataOf(await ask(act.operation, { ...args, ...(body && { body }) })),
    onSuccess: (answer) => onDone?.(answer),
    onError: (error) => onError?.(error),
    onSettled: () => stale(client, touches),
  });
}

/** Returns a predicate for the actions offered to the person, by permission. The server enforces it. */
export function useOffered(): (act: ActDeclaration) => boolean {
  const may = useMay();
  return ({ access }) => !access || may(access);
}

/** Returns the form fields of an action; if empty, no form is shown. */
export const fieldsOf = ({ fields, body }: ActDeclaration): readonly string[] =>
  fields ?? Object.keys(body?.fields ?? {});

interface ActDialogProps extends Act {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Values of fields that the form does not show. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Form for an operation, generated from its body schema. */
export function ActDialog({ title, open, onClose, values, given = {}, ...act }: ActDialogProps) {
  const turn = useTurn(open);
  const onDone = (answer: unknown) => {
    toast(t('Saved'));
    if (!turn.lasts()) return;
    onClose();
    act.onDone?.(answer);
  };
  // An open dialog shows the error itself.
  const change = useAct({ ...act, onDone, onError: (error) => turn.lasts() || toastError(error) });
  const names = fieldsOf(act.act);
  const schema = act.act.body ?? { fields: {}, required: [] };
  const fixed = Object.fromEntries(Object.entries(given).filter(([name]) => name in schema.fields));
  return (
    <Dialog title={title} open={open} onClose={onClose} wide={names.some((name) => schema.fields[name]?.fields)}>
      <Form
        submit={title}
        busy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={(entered) => {
          turn.begin();
          change.mutate({ ...fixed, ...valuesOf(entered, schema, names) });
        }}
      >
        <SchemaFields schema={schema} names={names} values={values ?? given} />
      </Form>
    </Dialog>
  );
}

/** Asks for confirmation if the declaration requires it. */
export async function sure(act: ActDeclaration, danger = false): Promise<boolean> {
  return !act.confirm || confirm({ title: act.confirm, act: act.title ?? t('Continue'), danger });
}
