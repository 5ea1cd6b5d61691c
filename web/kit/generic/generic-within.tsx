// A declared list within another record's page, with search, filters and creation scoped to that record.
import { listMessages } from '@keelson/words/labels';
import { useState } from 'react';
import { Link } from 'wouter';
import { addressWith } from '../address.ts';
import { Bones, Button, Failed, LinkButton } from '../components/parts.tsx';
import { number } from '../format.ts';
import { SearchField } from '../list/list-page.tsx';
import { firstRows, useRows } from '../list/pages.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import { useGo } from '../shell/go.tsx';
import { useSession } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { ActDialog, useOffered } from './generic-act.tsx';
import { columnsOf, FieldFilter, type AnyRow } from './generic-parts.tsx';
import { pathOf, type ListDeclaration } from './generic.ts';

const SHOWN = 50;

/** Tests for columns with the same value in every row, such as `company_name` in a company's assets. */
const repeats = (column: string, within: AnyRow): boolean =>
  Object.keys(within).some((key) => column === key || column === key.replace(/_(number|id)$/, '_name'));

interface ListWithinProps {
  readonly declared: ListDeclaration;
  /** The noun of its rows in English. */
  readonly noun: string;
  readonly within: AnyRow;
}

export function ListWithin({ declared, noun, within }: ListWithinProps) {
  const { title, list, id, columns, filters = [], open, create, createPage, fields, query, given = {} } = declared;
  const [asked, setAsked] = useState<Readonly<Record<string, string>>>({});
  const [making, setMaking] = useState(false);
  const go = useGo();
  const offered = useOffered();
  const set = (name: string, value: string) =>
    setAsked(Object.fromEntries(Object.entries({ ...asked, [name]: value }).filter(([, each]) => each)));
  const wanted = { ...asked, ...within };
  const rows = useRows<AnyRow>(list, { ...given, ...wanted });
  const messages = listMessages(noun);
  const mayCreate = create && offered(create);
  const { pages } = useSession();
  const about = new URLSearchParams(Object.entries(within).map(([name, value]) => [name, String(value)]));
  const search = new URLSearchParams([...about, ...Object.entries(asked)]);
  return (
    <div className="within">
      <div className="filters">
        {filters.map((name) => (
          <FieldFilter
            key={name}
            name={name}
            field={query[name]}
            value={asked[name] ?? ''}
            onChoose={(value) => set(name, value)}
          />
        ))}
        {Object.hasOwn(query, 'search') && (
          <SearchField label={t(messages.search)} value={asked.search ?? ''} onSearch={(text) => set('search', text)} />
        )}
        {createPage && pages.some((each) => each.path === createPage.path) && (
          <LinkButton to={`${createPage.path}?${about.toString()}`} icon="plus">
            {createPage.title}
          </LinkButton>
        )}
        {mayCreate && (
          <Button icon="plus" onClick={() => setMaking(true)}>
            {create.title ?? t('New')}
          </Button>
        )}
      </div>
      {rows.error ? (
        <Failed error={rows.error} retry={rows.retry} />
      ) : rows.loading ? (
        <Bones />
      ) : (
        <SimpleTable
          label={title}
          rows={firstRows(rows, SHOWN)}
          columns={columnsOf(
            columns.filter((each) => !repeats(each, within)),
            fields,
          )}
          to={open ? (row) => addressWith(open, row[id], row) : undefined}
          empty={t(Object.keys(asked).length > 0 ? messages.unmatched : messages.none)}
        />
      )}
      {rows.total > SHOWN && (
        <p className="none">
          <Link href={`${declared.path}?${search.toString()}`}>{t('All {total}', { total: number(rows.total) })}</Link>
        </p>
      )}
      {mayCreate && making && (
        <ActDialog
          act={create}
          title={create.title ?? t('New')}
          open
          values={within}
          touches={[pathOf(list)]}
          onClose={() => setMaking(false)}
          onDone={(made) => open && made && go(addressWith(open, (made as AnyRow)[id], made as AnyRow))}
        />
      )}
    </div>
  );
}
