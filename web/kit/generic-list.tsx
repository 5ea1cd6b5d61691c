import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { addressWith } from './address.ts';
import { titleOf, words } from './format.ts';
import { pathOf, type ActDeclaration, type ListDeclaration } from './generic.ts';
import { ActDialog, useOffered } from './generic-act.tsx';
import { Filter, ListPage, SearchField } from './list-page.tsx';
import { useRows } from './pages.ts';
import { Button, Empty, LinkButton } from './parts.tsx';
import { usePluginColumns } from './plugin-columns.tsx';
import { useSession } from './session.tsx';
import type { FieldInfo, Fields } from './fields.ts';
import type { Column, Sorting } from './table.tsx';
import { lookOf, Value, widthOf } from './value.tsx';

/** The word for the rows of a list, within a sentence: `API keys`, `mail templates`. */
function nounOf({ rows, title }: ListDeclaration): string {
  if (rows || !title.endsWith('s')) return rows ?? 'entries';
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

type AnyRow = Readonly<Record<string, unknown>>;

/** Columns of a table from the names of fields. */
export function columnsOf(
  names: readonly string[],
  fields: Fields,
  sorts: readonly string[] = [],
): readonly Column<AnyRow>[] {
  return names.map((name, index): Column<AnyRow> => ({
    key: name,
    title: fields[name]?.title ?? titleOf(name),
    width: widthOf(name, fields[name], index === 0),
    look: index === 0 ? 'strong' : lookOf(name, fields[name]),
    ...(sorts.includes(name) && { sort: name }),
    cell: (row) => <Value name={name} value={row[name]} field={fields[name]} row={row} />,
  }));
}

/** The page of a declared list. */
export function listPage(declared: ListDeclaration) {
  const {
    title,
    list,
    id,
    columns,
    filters = [],
    open,
    create,
    acts = [],
    links = [],
    fields,
    query,
    given = {},
  } = declared;
  const sorts = (query.sort?.enum ?? []).map(String);
  const table = columnsOf(columns, fields, sorts);
  const noun = nounOf(declared);
  return function GenericList() {
    const [params, setParams] = useSearchParams();
    const [, go] = useLocation();
    const [making, setMaking] = useState<ActDeclaration>();
    const offered = useOffered();
    const asked = Object.fromEntries([...params].filter(([name]) => Object.hasOwn(query, name)));
    const rows = useRows<AnyRow>(list, { ...given, ...asked });
    const added = usePluginColumns(rows, id);
    const { pages } = useSession();
    const set = (name: string, value: string) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (value) next.set(name, value);
          else next.delete(name);
          return next;
        },
        { replace: true },
      );
    const sorting: Sorting | undefined = params.get('sort')
      ? { sort: params.get('sort') ?? '', order: params.get('order') === 'asc' ? 'asc' : 'desc' }
      : undefined;
    const mayCreate = create && offered(create);
    const others = acts.filter(offered);
    return (
      <ListPage
        title={title}
        noun={noun}
        list={rows}
        columns={added.length > 0 ? [...table, ...added] : table}
        id={(row) => row[id] as number}
        to={open ? (row) => addressWith(open, row[id], row) : undefined}
        sorting={sorting}
        onSort={sorts.length > 0 ? (next) => setParams({ ...Object.fromEntries(params), ...next }) : undefined}
        empty={<Empty title={declared.empty ?? `There are no ${noun} ${params.size > 0 ? 'like this' : 'yet'}.`} />}
        filters={filters.map((name) => (
          <FieldFilter
            key={name}
            name={name}
            field={query[name]}
            value={params.get(name) ?? ''}
            onChoose={(value) => set(name, value)}
          />
        ))}
        actions={
          <>
            {Object.hasOwn(query, 'search') && (
              <SearchField
                label={`Search ${noun}`}
                value={params.get('search') ?? ''}
                onSearch={(text) => set('search', text)}
              />
            )}
            {others.map((each) => (
              <Button key={each.operation} onClick={() => setMaking(each)}>
                {each.title}
              </Button>
            ))}
            {links
              .filter(({ path }) => pages.some((each) => each.path === path))
              .map((each) => (
                <LinkButton key={each.path} to={each.path} icon={each.icon}>
                  {each.title}
                </LinkButton>
              ))}
            {mayCreate && (
              <Button look="primary" icon="plus" keys="c" onClick={() => setMaking(create)}>
                {create.title ?? 'New'}
              </Button>
            )}
          </>
        }
      >
        {making && (
          <ActDialog
            act={making}
            title={making.title ?? 'New'}
            open
            touches={[pathOf(list)]}
            onClose={() => setMaking(undefined)}
            onDone={(made) => open && made && go(addressWith(open, (made as AnyRow)[id], made as AnyRow))}
          />
        )}
      </ListPage>
    );
  };
}

function FieldFilter({
  name,
  field,
  value,
  onChoose,
}: {
  name: string;
  field: FieldInfo | undefined;
  value: string;
  onChoose: (value: string) => void;
}) {
  if (!field) return null;
  const choices =
    field.type === 'boolean'
      ? { true: 'Yes', false: 'No' }
      : Object.fromEntries((field.enum ?? []).map((each) => [String(each), words(String(each))]));
  if (Object.keys(choices).length === 0) return null;
  return <Filter label={field.title ?? words(name)} value={value} choices={choices} onChoose={onChoose} />;
}
