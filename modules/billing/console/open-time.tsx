// Dialog that selects unbilled time entries, which become invoice lines.
import { Bones, Button, Dialog, Empty, Failed, minutes, money, Time, useItem, type Data, t } from '@keelson/web';
import { useState } from 'react';
import { decimalText } from './decimals.tsx';

const READ = 'GET /billing/open-time.php?company_number={id}';
type Entry = Data<typeof READ>[number];

/** Selected time and its total. */
export interface ChosenTime {
  /** The body of the operations that bill worked time. */
  readonly body: {
    readonly from: string;
    readonly to: string;
    readonly hourly_rate: number;
    readonly time_entry_ids: number[];
  };
  readonly minutes: number;
  readonly amount: number;
}

interface OpenTimeProps {
  readonly company_number: number;
  readonly currency: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChoose: (chosen: ChosenTime) => void;
}

/** Remembers the last hourly rate in this browser. */
const RATE = 'keelson.hourly-rate';

export function OpenTime({ company_number, currency, open, onClose, onChoose }: OpenTimeProps) {
  const { data, error, refetch } = useItem(READ, { id: company_number }, { enabled: open });
  return (
    <Dialog title={t('Add worked time')} open={open} onClose={onClose} wide>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bones />
      ) : data.length === 0 ? (
        <Empty title={t('All billable time from the last year has been billed.')}>
          {t('Time logged as billable on tickets appears here.')}
        </Empty>
      ) : (
        <Choose entries={data} currency={currency} onClose={onClose} onChoose={onChoose} />
      )}
    </Dialog>
  );
}

interface ChooseProps extends Pick<OpenTimeProps, 'currency' | 'onClose' | 'onChoose'> {
  readonly entries: readonly Entry[];
}

function Choose({ entries, currency, onClose, onChoose }: ChooseProps) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [rate, setRate] = useState(() => localStorage.getItem(RATE) ?? '');
  const chosen = entries.filter((each) => !left.has(each.time_entry_id));
  const sum = (of: (each: Entry) => number) => chosen.reduce((before, each) => before + of(each), 0);
  const [worked, covered] = [sum((each) => each.duration_minutes), sum((each) => each.covered_minutes)];
  const toggle = (ids: readonly number[], on: boolean) =>
    setLeft(new Set([...left, ...ids].filter((id) => !(on && ids.includes(id)))));
  const tickets = [...Map.groupBy(entries, (each) => each.ticket_number).values()];
  const hourly = Number(rate.replace(',', '.'));
  const amount = ((worked - covered) / 60) * hourly;
  const submit = () => {
    const days = chosen.map((each) => each.work_date).toSorted();
    const [from, to] = [days[0], days.at(-1)];
    if (!from || !to) return;
    localStorage.setItem(RATE, rate);
    const time_entry_ids = chosen.map((each) => each.time_entry_id);
    onChoose({ body: { from, to, hourly_rate: hourly, time_entry_ids }, minutes: worked, amount });
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="open-time">
        {tickets.map((its) => (
          <Ticket key={its[0]?.ticket_id} entries={its} left={left} toggle={toggle} />
        ))}
      </div>
      <div className="open-time-foot">
        <label>
          {t('Hourly rate')}{' '}
          <input
            className="input"
            inputMode="decimal"
            required
            pattern="[0-9]+([.,][0-9]+)?"
            value={decimalText(rate)}
            onChange={(event) => setRate(event.target.value)}
          />
        </label>
        <span role="status">
          {t('{worked} worked', { worked: minutes(worked) })}
          {covered > 0 && t(', {covered} included in contracts', { covered: minutes(covered) })}
          {hourly > 0 && `: ${money(amount, currency)}`}
        </span>
      </div>
      <div className="actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="primary" type="submit" disabled={chosen.length === 0}>
          {t('Add to invoice')}
        </Button>
      </div>
    </form>
  );
}

interface TicketProps {
  readonly entries: readonly Entry[];
  readonly left: ReadonlySet<number>;
  readonly toggle: (ids: readonly number[], on: boolean) => void;
}

function Ticket({ entries, left, toggle }: TicketProps) {
  const ids = entries.map((each) => each.time_entry_id);
  const [first] = entries;
  return (
    <fieldset>
      <legend>
        <label>
          <input
            type="checkbox"
            checked={ids.every((id) => !left.has(id))}
            onChange={(event) => toggle(ids, event.target.checked)}
          />{' '}
          {first?.ticket_number} {first?.subject}
        </label>
      </legend>
      {entries.map((each) => (
        <label key={each.time_entry_id} className="open-entry">
          <input
            type="checkbox"
            checked={!left.has(each.time_entry_id)}
            onChange={(event) => toggle([each.time_entry_id], event.target.checked)}
          />
          <Time at={each.work_date} form="date" />
          <span className="grow">
            {each.description || t('No description')} <span className="tone-muted">{each.user_name}</span>
          </span>
          {each.covered_minutes > 0 && (
            <span className="tone-muted">
              {t('{covered_minutes} in the contract', { covered_minutes: minutes(each.covered_minutes) })}
            </span>
          )}
          <b>{minutes(each.duration_minutes)}</b>
        </label>
      ))}
    </fieldset>
  );
}
