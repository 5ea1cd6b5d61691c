// The components of `@keelson/web` at work, for authors of pages. Each card is titled with the names to import.
import {
  Avatar,
  Badge,
  Board,
  Button,
  Card,
  Chart,
  CheckField,
  ComboField,
  confirm,
  EditableFact,
  Empty,
  Fact,
  Facts,
  Figure,
  Form,
  FormRows,
  IconButton,
  Kbd,
  keyName,
  Line,
  Lines,
  Menu,
  money,
  Note,
  rawText,
  SelectField,
  SelectSeveralField,
  Sheet,
  SimpleTable,
  Table,
  Tabs,
  TextField,
  Time,
  Timeline,
  toast,
  t,
  type Column,
  type Rows,
  type Sorting,
} from '@keelson/web';
import { useState, type ReactNode } from 'react';

interface Device {
  readonly id: number;
  readonly name: string;
  readonly site: string;
  readonly price: number;
}

const devices: readonly Device[] = [
  { id: 1, name: 'LT-0142', site: 'Dublin', price: 1249 },
  { id: 2, name: 'PR-0007', site: 'Cork', price: 389.9 },
  { id: 3, name: 'SW-0031', site: 'Dublin', price: 812.5 },
];
const stages = { new: t('New'), quoted: t('Quoted'), won: t('Won') };
const priorities = [
  { value: 1, label: t('Critical') },
  { value: 2, label: t('High') },
  { value: 3, label: t('Medium') },
];
const sites = ['Dublin', 'Cork'].map((each) => ({ value: each, label: each }));
const columns: readonly Column<Device>[] = [
  { key: 'name', title: t('Name'), width: '1fr', look: 'strong', sort: 'name', cell: ({ name }) => name },
  { key: 'site', title: t('Site'), width: '8rem', cell: ({ site }) => site },
  {
    key: 'price',
    title: t('Price'),
    width: '8rem',
    look: 'right',
    sort: 'price',
    cell: ({ price }) => money(price, 'EUR'),
  },
];

/** The names of components, given as `{ Button, Menu }`. */
const nameOf = (components: object): string => Object.keys(components).join(' · ');

function Example({ of, children }: { of: object; children: ReactNode }) {
  return <Card title={nameOf(of)}>{children}</Card>;
}

export default function Components() {
  return (
    <Sheet title={t('Components')}>
      <p>{t('Components of @keelson/web for console and portal pages, titled with the names to import.')}</p>
      <Example of={{ Button, IconButton, Menu, Badge, Kbd, Avatar, Time }}>
        <Buttons />
      </Example>
      <Example of={{ Note, Empty, Figure }}>
        <Note title={t('Saved')} tone="ok">
          {t('Notes have a tone: ok, warn, danger, info or muted.')}
        </Note>
        <div className="figures">
          <Figure name={t('Open tickets')}>12</Figure>
          <Figure name={t('Overdue')}>3</Figure>
        </div>
        <Empty title={t('Nothing here yet')} />
      </Example>
      <Example of={{ Form, TextField, SelectField, SelectSeveralField, ComboField, CheckField, FormRows }}>
        <FormExample />
      </Example>
      <Example of={{ Facts, Fact, EditableFact }}>
        <FactsExample />
      </Example>
      <Example of={{ Table }}>
        <TableExample />
      </Example>
      <Example of={{ SimpleTable }}>
        <SimpleTable label={t('Devices')} rows={devices} columns={columns} />
      </Example>
      <Example of={{ Lines, Line }}>
        <Lines title={t('Devices')}>
          {devices.map(({ id, name, site }) => (
            <Line key={id} title={name} about={[site]} end={<Badge tone="ok">{t('Active')}</Badge>} />
          ))}
        </Lines>
      </Example>
      <Example of={{ Tabs }}>
        <Tabs label={t('Parts of a record')} tabs={tabs} />
      </Example>
      <Example of={{ Board }}>
        <BoardExample />
      </Example>
      <Example of={{ Timeline }}>
        <Timeline label={t('Phases')} rows={phases} today="2026-03-10" />
      </Example>
      <Example of={{ Chart }}>
        <Chart title={t('Open tickets')} points={[3, 8, 5, 12].map((value, i) => ({ label: `${i + 1}`, value }))} />
      </Example>
    </Sheet>
  );
}

const tabs = [
  { id: 'people', title: t('People'), body: () => <p>{t('Only the body of the open tab is rendered.')}</p> },
  { id: 'devices', title: t('Devices'), body: () => <p>{devices.map(({ name }) => name).join(', ')}</p> },
];
const phases = [
  { id: 1, title: t('Planning'), start: '2026-03-02', end: '2026-03-13', tone: 'ok', said: t('Done') },
  { id: 2, title: t('Roll-out'), start: '2026-03-12', end: '2026-04-10', tone: 'info', said: t('In progress') },
] as const;

function Buttons() {
  const ask = async () => {
    const act = t('Remove');
    if (await confirm({ title: t('Remove this device?'), act, danger: true })) toast(t('Removed'));
  };
  return (
    <Facts>
      <Fact name={nameOf({ Button })}>
        <Button look="primary" onClick={() => toast(t('Saved'))}>
          {t('Save')}
        </Button>{' '}
        <Button onClick={() => toast(t('Saved'))}>{t('Save')}</Button>{' '}
        <Button look="danger" icon="trash" onClick={() => void ask()}>
          {t('Remove')}
        </Button>
      </Fact>
      <Fact name={nameOf({ IconButton })}>
        <IconButton icon="edit" label={t('Edit')} onClick={() => toast(t('Edit'))} />
      </Fact>
      <Fact name={nameOf({ Menu })}>
        <Menu label={t('Priority')} choices={priorities} onChoose={(value) => toast(`${value}`)}>
          {t('Priority')}
        </Menu>
      </Fact>
      <Fact name={nameOf({ Badge })}>
        <Badge tone="ok">{t('Active')}</Badge> <Badge tone="warn">{t('Due today')}</Badge>{' '}
        <Badge tone="danger">{t('Overdue')}</Badge>
      </Fact>
      <Fact name={nameOf({ Kbd })}>
        <Kbd>{keyName('Mod+K')}</Kbd>
      </Fact>
      <Fact name={nameOf({ Avatar })}>
        <Avatar name="Erin Example" />
      </Fact>
      <Fact name={nameOf({ Time })}>
        <Time at="2026-03-10T09:00:00Z" form="moment" />
      </Fact>
    </Facts>
  );
}

function FormExample() {
  const [error, setError] = useState<Error | null>(null);
  const check = (given: FormData) => {
    const name = rawText(given, 'name').trim();
    // The server words its refusals like this; the form shows them at the field.
    setError(name === '' ? new Error('name is required') : null);
    if (name !== '') toast(t('Saved'));
  };
  return (
    <Form submit={t('Save')} error={error} onSubmit={check}>
      <TextField name="name" label={t('Name')} hint={t('Leave it empty to see an error.')} />
      <SelectField name="priority" label={t('Priority')} choices={priorities} none={t('None')} />
      <ComboField
        name="device"
        label={t('Device')}
        choices={devices.map(({ id, name, site }) => ({ value: `${id}`, label: name, detail: site }))}
      />
      <SelectSeveralField name="sites" label={t('Site')} choices={sites} values={['Dublin']} />
      <CheckField name="active" label={t('Active')} checked />
      <FormRows
        label={t('Lines')}
        rows={devices.slice(0, 1)}
        least={1}
        one={t('line')}
        add={t('Add line')}
        className="pair"
      >
        {(row, { key }) => <TextField name={`line-${key}`} label={t('Name')} value={row?.name} />}
      </FormRows>
    </Form>
  );
}

function FactsExample() {
  const [site, setSite] = useState('Dublin');
  return (
    <Facts>
      <Fact name={t('Name')}>{devices[0]?.name}</Fact>
      <EditableFact
        name={t('Site')}
        field={<TextField name="site" label={t('Site')} value={site} />}
        onSave={async (given) => setSite(rawText(given, 'site'))}
      >
        {site}
      </EditableFact>
    </Facts>
  );
}

/** Rows that are already there; a page of records uses `useRows`. */
const rowsOf = <R,>(all: readonly R[]): Rows<R> => ({
  total: all.length,
  capped: false,
  at: (index) => all[index],
  need: () => {},
  loading: false,
  fetching: false,
  error: null,
  retry: () => {},
  operation: '',
  pages: [all],
});

function TableExample() {
  const [sorting, setSorting] = useState<Sorting>({ sort: 'name', order: 'asc' });
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const key = sorting.sort === 'price' ? 'price' : 'name';
  const sorted = devices.slice(0, 2).toSorted((a, b) => (a[key] < b[key] ? -1 : 1));
  return (
    <Table
      label={t('Devices')}
      list={rowsOf(sorting.order === 'asc' ? sorted : sorted.toReversed())}
      columns={columns}
      id={({ id }) => id}
      sorting={sorting}
      onSort={setSorting}
      selected={selected}
      onSelect={setSelected}
      empty={<Empty title={t('No devices')} />}
    />
  );
}

function BoardExample(): ReactNode {
  const [stageOf, setStageOf] = useState<ReadonlyMap<number, string>>(new Map(devices.map(({ id }) => [id, 'new'])));
  return (
    <Board
      label={t('Stages')}
      id={({ id }) => id}
      name={({ name }) => name}
      card={({ name, price }) => (
        <>
          <a href="/admin/components">{name}</a> <span className="tone-muted">{money(price, 'EUR')}</span>
        </>
      )}
      columns={Object.entries(stages).map(([id, title]) => {
        const cards = devices.filter((each) => stageOf.get(each.id) === id);
        return { id, title, cards, sum: `${cards.length}` };
      })}
      onMove={({ id }, stage) => setStageOf(new Map([...stageOf, [id, stage]]))}
    />
  );
}
