import { useState } from 'react';
import { addressWith } from '../address.ts';
import { confirm } from '../components/confirm.tsx';
import { Files } from '../components/files.tsx';
import { Bones, Button, Card, Fact, Facts, Failed } from '../components/parts.tsx';
import { RecordPage, RecordPending, Section } from '../components/record-page.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { textOf, Value } from '../components/value.tsx';
import { EditDialog } from '../form/edit-dialog.tsx';
import { titleOf, words } from '../format.ts';
import { firstRows, useRows } from '../list/pages.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import { useAnswer } from '../request/client.ts';
import { useGo } from '../shell/go.tsx';
import { Slot } from '../shell/piece.tsx';
import { place } from '../shell/place.ts';
import { translated } from '../shell/translated.ts';
import { t } from '../shell/words.ts';
import { ActDialog, fieldsOf, sure, useAct, useOffered } from './generic-act.tsx';
import { columnsOf } from './generic-parts.tsx';
import { idArgument, pathOf, type ActDeclaration, type RelatedDeclaration, type SheetDeclaration } from './generic.ts';

type Item = Readonly<Record<string, unknown>>;

const isFor = ({ when = {} }: ActDeclaration, item: Item): boolean =>
  Object.entries(when).every(([name, values]) => values?.includes(item[name]));

/** Builds the page of a declared record. */
export function recordPage(given: SheetDeclaration) {
  const declared = translated(given);
  const {
    read,
    heading,
    facts,
    texts = [],
    parts = [],
    related = [],
    acts = [],
    change,
    remove,
    fields,
    slot,
  } = declared;
  const back = { to: declared.path.replace(/\/:.*$/, ''), title: t('Back to list') };
  return function GenericRecord({ params }: { params: Readonly<Record<string, string>> }) {
    const id = Object.values(params)[0];
    const { data, error, refetch } = useAnswer(read, { [idArgument(read)]: id });
    const go = useGo();
    const offered = useOffered();
    if (error || !data)
      return <RecordPending title={declared.title} back={back} error={error} retry={() => void refetch()} />;
    const item = data as Item;
    const title =
      heading
        .split(' ')
        .map((each) => textOf(each, item[each]))
        .filter(Boolean)
        .join(' ') || declared.title;
    const touches = [pathOf(read)];
    // Facts go into the main column if it is otherwise empty, or in the portal's single column.
    const inside = place.id === 'portal' || texts.length + parts.length + related.length === 0;
    const known = (
      <Facts>
        {facts.map((name) => (
          <Fact key={name} name={fields[name]?.title ?? titleOf(name)} always>
            <Value name={name} value={item[name]} field={fields[name]} row={item} />
          </Fact>
        ))}
      </Facts>
    );
    return (
      <RecordPage
        title={title}
        back={back}
        acts={
          <>
            {acts
              .filter((act) => isFor(act, item))
              .map((act) => (
                <ActButton key={(act.title ?? '') + act.operation} act={act} id={id} touches={touches} />
              ))}
            {change && <EditButton act={change} id={id} touches={touches} item={item} />}
            {remove && <RemoveButton act={remove} id={id} title={title} touches={touches} onDone={() => go(back.to)} />}
          </>
        }
        side={
          (!inside || slot) && (
            <>
              {!inside && <Section title={declared.title}>{known}</Section>}
              {slot && <Slot name={slot} record={item} />}
            </>
          )
        }
      >
        {inside && <Card title={declared.title}>{known}</Card>}
        {texts.map(
          (name) =>
            Boolean(item[name]) && (
              <Card key={name} title={words(name)}>
                <p className="text">{String(item[name])}</p>
              </Card>
            ),
        )}
        {parts.map(({ title, field, columns, id: key = '', open }) => (
          <Card key={field} title={title} flush>
            <SimpleTable
              label={title}
              rows={(item[field] as Item[] | null) ?? []}
              columns={columnsOf(columns, fields[field]?.fields ?? {})}
              to={open ? (row) => addressWith(open, row[key], row) : undefined}
            />
          </Card>
        ))}
        {related.map((each) => (
          <Related key={each.title} of={each} item={item} id={id} />
        ))}
        {declared.files && <Files path={declared.files} id={id ?? ''} may={!change || offered(change)} />}
      </RecordPage>
    );
  };
}

function Related({ of, item, id }: { of: RelatedDeclaration; item: Item; id: unknown }) {
  const own = Object.fromEntries(Object.entries(of.with).map(([name, field]) => [name, item[field]]));
  const given = { ...of.given, ...own };
  const rows = useRows<Item>(of.list, given);
  const [making, setMaking] = useState(false);
  const offered = useOffered();
  const { create, open } = of;
  const shown = firstRows(rows, 100);
  const mayCreate = create && offered(create);
  return (
    <Card
      title={`${of.title}${rows.loading ? '' : ` (${rows.total})`}`}
      flush
      act={
        mayCreate && (
          <Button size="small" icon="plus" onClick={() => setMaking(true)}>
            {create.title ?? t('Add')}
          </Button>
        )
      }
    >
      {rows.error ? (
        <Failed error={rows.error} retry={rows.retry} />
      ) : rows.loading ? (
        <Bones />
      ) : (
        <SimpleTable
          label={of.title}
          rows={shown}
          columns={columnsOf(of.columns, of.fields)}
          to={open && of.id ? (row) => addressWith(open, row[of.id as string], row) : undefined}
        />
      )}
      {mayCreate && (
        <ActDialog
          act={create}
          title={create.title ?? t('Add')}
          open={making}
          given={given}
          id={id}
          touches={[pathOf(of.list)]}
          onClose={() => setMaking(false)}
        />
      )}
    </Card>
  );
}

function ActButton({ act, id, touches }: { act: ActDeclaration; id: unknown; touches: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const offered = useOffered();
  const title = act.title ?? t('Do');
  const change = useAct({ act, id, touches, onDone: () => toast(t('{title}: done', { title })), onError: toastError });
  if (!offered(act)) return null;
  const needsForm = fieldsOf(act).length > 0;
  const run = async () => {
    if (!(await sure(act))) return;
    change.mutate(undefined);
  };
  const close = () => setOpen(false);
  return (
    <>
      <Button disabled={change.isPending} onClick={() => (needsForm ? setOpen(true) : void run())}>
        {title}
      </Button>
      {needsForm && <ActDialog act={act} id={id} title={title} open={open} touches={touches} onClose={close} />}
    </>
  );
}

interface EditButtonProps {
  readonly act: ActDeclaration;
  readonly id: unknown;
  readonly touches: readonly string[];
  readonly item: Item;
}

function EditButton({ act, id, touches, item }: EditButtonProps) {
  const { operation, title = t('Edit'), body } = act;
  const [open, setOpen] = useState(false);
  if (!useOffered()(act)) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{title}</Button>
      <EditDialog
        title={title}
        open={open}
        onClose={() => setOpen(false)}
        operation={operation}
        args={{ [idArgument(operation)]: id }}
        schema={body ?? { fields: {}, required: [] }}
        names={fieldsOf(act)}
        values={item}
        touches={touches}
      />
    </>
  );
}

function RemoveButton({
  act,
  id,
  title,
  touches,
  onDone,
}: {
  act: ActDeclaration;
  id: unknown;
  title: string;
  touches: readonly string[];
  onDone: () => void;
}) {
  const offered = useOffered();
  const change = useAct({ act, id, touches, onDone, onError: toastError });
  if (!offered(act)) return null;
  const run = async () => {
    const question = act.confirm
      ? { title: act.confirm }
      : { title: t('Delete {title}?', { title }), text: t('This cannot be undone.') };
    if (await confirm({ ...question, act: act.title ?? t('Delete'), danger: true })) change.mutate(undefined);
  };
  return (
    <Button look="quiet" icon="trash" disabled={change.isPending} onClick={() => void run()}>
      {act.title ?? t('Delete')}
    </Button>
  );
}
