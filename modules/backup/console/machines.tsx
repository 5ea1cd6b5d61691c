// Machines with their backups by day: failed machines first, the log of a day one click away.
import {
  addressWith,
  Button,
  Card,
  date,
  Dialog,
  fileSize,
  firstRows,
  Link,
  LinkButton,
  Loaded,
  number,
  SimpleTable,
  Time,
  useMay,
  usePages,
  Value,
  words,
  type Row,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';

const GRID = 'GET /backup/grid.php';
const LOG = 'GET /backup/records.php';
type Machine = Row<typeof GRID>;
type Day = Machine['days'][number];
interface Cell {
  readonly machine: Machine;
  readonly day: Day;
}

const FIRST = 25;
const MOST = 100;
const healths = [
  { health: 'failed', title: t('Last backup failed') },
  { health: 'late', title: t('No backup for more than 26 hours') },
  { health: 'ok', title: t('Backed up') },
] as const;

/** Symbol and label of a day, so that neither depends on colour. */
const looks: Readonly<Record<Day['status'], { readonly sign: string; readonly word: string }>> = {
  completed: { sign: '✓', word: t('Completed') },
  failed: { sign: '✕', word: t('Failed') },
  running: { sign: '…', word: t('Running') },
  none: { sign: '·', word: t('No backup') },
};

interface Within {
  /** The only company shown; all by default. */
  readonly company_number?: number;
}

/** Shows the machines with their last days, by the health of their backups. */
export function BackupDays({ days, ...within }: { readonly days: number } & Within) {
  const [open, setOpen] = useState<Cell>();
  return (
    <>
      <p className="backup-key tone-muted">
        {Object.entries(looks).map(([status, { sign, word }]) => (
          <span key={status}>
            <i className="backup-day" data-status={status} aria-hidden="true">
              {sign}
            </i>{' '}
            {word}
          </span>
        ))}
      </p>
      {healths.map((each) => (
        <Machines key={each.health} {...each} days={days} within={within} onOpen={setOpen} />
      ))}
      {open && <DayLog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface MachinesProps {
  readonly health: (typeof healths)[number]['health'];
  readonly title: string;
  readonly days: number;
  readonly within: Within;
  readonly onOpen: (cell: Cell) => void;
}

function Machines({ health, title, days, within, onOpen }: MachinesProps) {
  const list = usePages(GRID, { health, days, sort: 'company_number', ...within });
  const [all, setAll] = useState(false);
  const tickets = useMay()('tickets:write');
  const rows = firstRows(list, all ? MOST : FIRST);
  if (health !== 'ok' && list.total === 0 && !list.error) return null;
  const failed = health === 'failed';
  return (
    <Card title={list.loading || list.error ? title : `${title} (${number(list.total)})`} flush>
      <Loaded list={list} />
      {rows.length > 0 && (
        <div className="backup-grid" tabIndex={0} role="region" aria-label={title} ref={toLatest}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Machine')}</th>
                {rows[0]?.days.map(({ day }: Day) => (
                  <th key={day} scope="col">
                    <abbr title={date(day)}>{Number(day.slice(8))}</abbr>
                  </th>
                ))}
                {failed && tickets && (
                  <th scope="col">
                    <span className="hidden">{t('Ticket')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((machine) => (
                <tr key={machine.machine_id}>
                  <th scope="row">
                    {machine.asset_id ? (
                      <Link href={addressWith('/assets/:quoted', machine.asset_id)}>{machine.machine_name}</Link>
                    ) : (
                      machine.machine_name
                    )}
                    {within.company_number === undefined && (
                      <small className="tone-muted">{machine.company_name}</small>
                    )}
                  </th>
                  {machine.days.map((day: Day) => (
                    <td key={day.day}>
                      <DayCell day={day} onOpen={() => onOpen({ machine, day })} />
                    </td>
                  ))}
                  {failed && tickets && (
                    <td className="backup-ticket">
                      <Link href={ticketAbout(machine)} className="button plain small">
                        {t('Create ticket')}
                        <span className="hidden">
                          {' '}
                          {t('about {machine_name}', { machine_name: machine.machine_name })}
                        </span>
                      </Link>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length === 0 && !list.loading && !list.error && (
        <p className="none">{t('No machines yet. Backups that your tools report appear here.')}</p>
      )}
      {!all && list.total > FIRST && (
        <p className="none">
          <Button size="small" onClick={() => setAll(true)}>
            {t('Show')}{' '}
            {list.total > MOST
              ? t('the first {count}', { count: MOST })
              : t('all {total}', { total: number(list.total) })}
          </Button>
        </p>
      )}
      {all && list.total > MOST && (
        <p className="none">
          {rich('The first {count} machines are shown. {link}', {
            count: MOST,
            link: <Link href="/backup/companies">{t('Look by company')}</Link>,
          })}
        </p>
      )}
    </Card>
  );
}

/** Scrolls a narrow grid to the most recent days. */
function toLatest(grid: HTMLElement | null): void {
  if (grid) grid.scrollLeft = grid.scrollWidth;
}

function DayCell({ day: { day, status, completed, failed }, onOpen }: { day: Day; onOpen: () => void }) {
  const { sign, word } = looks[status];
  const counts =
    completed + failed > 1 ? ` ${t('({completed} completed, {failed} failed)', { completed, failed })}` : '';
  const said = `${date(day)}: ${word}${counts}`;
  if (status === 'none')
    return (
      <span className="backup-day" data-status={status} title={said}>
        <span aria-hidden="true">{sign}</span>
        <span className="hidden">{word}</span>
      </span>
    );
  return (
    <button type="button" className="backup-day" data-status={status} title={said} onClick={onOpen}>
      <span aria-hidden="true">{sign}</span>
      <span className="hidden">{said}</span>
    </button>
  );
}

function DayLog({ machine, day, onClose }: Cell & { onClose: () => void }) {
  const { machine_id, machine_name, company_name } = machine;
  const list = usePages(LOG, { machine_id, started_after: day.day, started_before: day.day });
  const may = useMay()('tickets:write');
  const rows = firstRows(list, MOST);
  const failure = rows.find((each) => each.status === 'failed');
  return (
    <Dialog title={`${machine_name}, ${date(day.day)}`} open wide onClose={onClose}>
      <p className="tone-muted">{company_name}</p>
      <Loaded list={list}>
        <SimpleTable
          label={t('Backups')}
          rows={rows}
          empty={t('The log of this day has been deleted.')}
          columns={[
            {
              key: 'started_at',
              title: t('Started'),
              width: '',
              cell: (row) => <Time at={row.started_at} form="moment" />,
            },
            {
              key: 'status',
              title: t('Status'),
              width: '',
              cell: (row) => <Value name="status" value={row.status} row={row} />,
            },
            { key: 'backup_type', title: t('Type'), width: '', cell: (row) => words(row.backup_type) },
            { key: 'size_bytes', title: t('Size'), width: '', look: 'right', cell: (row) => fileSize(row.size_bytes) },
            { key: 'message', title: t('Message'), width: '', cell: (row) => row.message || '–' },
          ]}
        />
      </Loaded>
      <div className="actions">
        <Button onClick={onClose}>{t('Close')}</Button>
        {machine.asset_id && (
          <LinkButton to={addressWith('/assets/:quoted', machine.asset_id)}>{t('Open the machine')}</LinkButton>
        )}
        {may && failure && (
          <LinkButton to={ticketAbout(machine, failure.message)} look="primary">
            {t('Create ticket')}
          </LinkButton>
        )}
      </div>
    </Dialog>
  );
}

/** Returns the URL of the ticket form, prefilled for a failed backup. */
function ticketAbout({ machine_name, company_number, asset_id }: Machine, message = ''): string {
  const subject = (
    message
      ? t('Backup of {machine_name} failed: {message}', { machine_name, message })
      : t('Backup of {machine_name} failed', { machine_name })
  ).slice(0, 255);
  const about = { company: String(company_number), subject, ...(asset_id && { asset: String(asset_id) }) };
  return `/tickets/new?${new URLSearchParams(about)}`;
}
