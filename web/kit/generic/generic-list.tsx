import { listMessages, nounOf } from '@keelson/words/labels';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { addressWith } from '../address.ts';
import { Button, Empty, LinkButton } from '../components/parts.tsx';
import { ListPage, SearchField } from '../list/list-page.tsx';
import { useRows } from '../list/pages.ts';
import { usePluginColumns } from '../list/plugin-columns.tsx';
import type { Sorting } from '../list/table.tsx';
import { useGo } from '../shell/go.tsx';
import { useSession } from '../shell/session.tsx';
import { translated } from '../shell/translated.ts';
import { t } from '../shell/words.ts';
import { ActDialog, useOffered } from './generic-act.tsx';
import { columnsOf, FieldFilter, type AnyRow } from './generic-parts.tsx';
import { ListWithin } from './generic-within.tsx';
import { pathOf, type ActDeclaration, type ListDeclaration } from './generic.ts';

/** Builds the page of a declared list. */
export function listPage(given: ListDeclaration) {
  const declared = translated(given);
  const {
    title,
    list,
    id,
    columns,
    filters = [],
    open,
    create,
    createPage,
    acts = [],
    links = [],
    fields,
    query,
    given: always = {},
  } = declared;
  const sorts = (query.sort?.enum ?? []).map(String);
  const table = columnsOf(columns, fields, sorts);
  const noun = nounOf(given);
  const messages = listMessages(noun);
  function GenericList() {
    const [params, setParams] = useSearchParams();
    const go = useGo();
    const [making, setMaking] = useState<ActDeclaration>();
    const offered = useOffered();
    const asked = Object.fromEntries([...params].filter(([name]) => Object.hasOwn(query, name)));
    const rows = useRows<AnyRow>(list, { ...always, ...asked });
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
        empty={<Empty title={declared.empty ?? t(params.size > 0 ? messages.unmatched : messages.none)} />}
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
                label={t(messages.search)}
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
            {createPage && pages.some((each) => each.path === createPage.path) && (
              <LinkButton to={createPage.path} look="primary" icon="plus">
                {createPage.title}
              </LinkButton>
            )}
            {mayCreate && (
              <Button look="primary" icon="plus" keys="c" onClick={() => setMaking(create)}>
                {create.title ?? t('New')}
              </Button>
            )}
          </>
        }
      >
        {declared.description && <p className="none">{declared.description}</p>}
        {making && (
          <ActDialog
            act={making}
            title={making.title ?? t('New')}
            open
            touches={[pathOf(list)]}
            onClose={() => setMaking(undefined)}
            onDone={(made) => open && made && go(addressWith(open, (made as AnyRow)[id], made as AnyRow))}
          />
        )}
      </ListPage>
    );
  }
  /** Full page or, with `within`, a section of another record's page. */
  return function ListOrPart({ within }: { within?: AnyRow }) {
    return within ? <ListWithin declared={declared} noun={noun} within={within} /> : <GenericList />;
  };
}
