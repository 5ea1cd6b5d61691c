// A card with the form of one group of settings, saved together.
import type { ReactNode } from 'react';
import { Bones, Card, Failed } from '../components/parts.tsx';
import { toast } from '../components/toast.tsx';
import { useChange, useItem, type Args, type Data, type Operation } from '../request/client.ts';
import { useMay } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { Form } from './form.tsx';

interface SettingsCardProps<R extends Operation, W extends Operation> {
  readonly title: string;
  readonly read: R;
  readonly write: W;
  /** Whether the person may change them; `useMaySet()` for most settings. */
  readonly may: boolean;
  /** Returns what the form sends; undefined if there is nothing to save. */
  readonly change: (given: FormData, data: Data<R>, opened: FormData) => Args<W> | undefined;
  /** Text before the form. */
  readonly intro?: ReactNode;
  readonly submit?: string | undefined;
  readonly saved?: string | undefined;
  /** Other paths whose responses the change makes stale. */
  readonly touches?: readonly string[];
  readonly children: (data: Data<R>) => ReactNode;
}

/** A group of settings that is read and saved as a whole. */
export function SettingsCard<R extends Operation, W extends Operation>(props: SettingsCardProps<R, W>) {
  const { title, read, write, may, change, intro, submit, saved, touches = [], children } = props;
  const { data, error } = useItem(read);
  const path = read.slice(read.indexOf(' ') + 1);
  const done = () => toast(saved ?? t('Saved'));
  const set = useChange(write, { quiet: true, touches: [path, ...touches], done });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card title={title}>
      {intro}
      <Form
        submit={submit ?? t('Save')}
        error={set.error}
        busy={set.isPending || !may}
        onSubmit={(given, opened) => {
          const args = change(given, data, opened);
          if (args) set.mutate(args);
          else done();
        }}
      >
        {children(data)}
      </Form>
    </Card>
  );
}

/** Whether the person may change the provider's settings. */
export function useMaySet(): boolean {
  const may = useMay();
  return may('settings:write') || may('settings:write (session: administrator)');
}
