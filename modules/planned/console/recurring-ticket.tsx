// A recurring ticket: its schedule, its next dates, and the tickets created from it.
import {
  addressWith,
  Button,
  confirm,
  date,
  Fact,
  Facts,
  LinkButton,
  Loaded,
  minutes,
  Note,
  RecordName,
  RecordPage,
  RecordPending,
  Section,
  SimpleTable,
  Time,
  toast,
  useChange,
  useItem,
  useGo,
  useMay,
  usePages,
  useShowMore,
  type Row,
  t,
} from '@keelson/web';
import { closedDays, Dates } from './recurring-form.tsx';

const OCCURRENCES = 'GET /recurring-tickets.php?action=occurrences&id={id}';
type Occurrence = Row<typeof OCCURRENCES>;

const touches = ['/recurring-tickets.php'];

export default function RecurringTicket({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const go = useGo();
  const may = useMay()('planned:write');
  const { data, error, refetch } = useItem('GET /recurring-tickets.php?id={id}', { id });
  const change = useChange('PUT /recurring-tickets.php?id={id}', { touches });
  const remove = useChange('DELETE /recurring-tickets.php?id={id}', {
    touches,
    done: () => {
      toast(t('Recurring ticket deleted'));
      go('/recurring-tickets');
    },
  });
  if (!data) return <RecordPending title={t('Recurring ticket')} error={error} retry={() => void refetch()} />;
  const { name, active, problem, company_numbers, template_id, next_at } = data;
  const askToRemove = async () => {
    const question = {
      title: t('Delete {name}?', { name }),
      text: t('Tickets created from it stay.'),
      act: t('Delete'),
      danger: true,
    };
    if (await confirm(question)) remove.mutate({ id });
  };
  return (
    <RecordPage
      title={name}
      back={{ to: '/recurring-tickets', title: t('Back to recurring tickets') }}
      acts={
        may && (
          <>
            <LinkButton to={`/recurring-tickets/${id}/edit`}>{t('Edit')}</LinkButton>
            <Button disabled={change.isPending} onClick={() => change.mutate({ id, body: { active: !active } })}>
              {active ? t('Pause') : t('Resume')}
            </Button>
            <Button disabled={remove.isPending} onClick={() => void askToRemove()}>
              {t('Delete')}
            </Button>
          </>
        )
      }
    >
      {problem && <Note tone="danger">{problem}</Note>}
      <Section title={t('Schedule')}>
        <Facts>
          <Fact name={t('Repeats')}>{data.schedule}</Fact>
          <Fact name={t('Next')}>{next_at ? <Time at={next_at} /> : active ? t('No more dates') : t('Paused')}</Fact>
          <Fact name={t('First date')}>{date(data.starts_on)}</Fact>
          <Fact name={t('Time')}>{data.time}</Fact>
          <Fact name={t('Business hours')}>{data.calendar_name ?? t('Default calendar')}</Fact>
          <Fact name={t('On closed days')}>{closedDays[data.on_closed_days]}</Fact>
          {data.visit_user_id !== null && (
            <Fact name={t('Visit')}>
              {[
                data.visit_technician_name,
                minutes(data.visit_minutes),
                data.visit_contact_name,
                t('{days} days ahead', { days: data.visit_days_ahead }),
              ]
                .filter(Boolean)
                .join(', ')}
            </Fact>
          )}
          <Fact name={t('Template')}>
            <RecordName type="ticket_template" id={template_id} />
          </Fact>
          <Fact name={t('Companies')}>
            {company_numbers.map((each: number, index: number) => (
              <span key={each}>
                {index > 0 && ', '}
                <RecordName type="company" id={each} />
              </span>
            ))}
          </Fact>
        </Facts>
      </Section>
      {active && <Upcoming {...data} calendar_id={data.calendar_id ?? undefined} />}
      <Created id={id} />
    </RecordPage>
  );
}

interface Planned {
  readonly starts_on: string;
  readonly time: string;
  readonly rrule: string;
  readonly calendar_id: number | undefined;
  readonly on_closed_days: keyof typeof closedDays;
}

function Upcoming({ starts_on, time, rrule, calendar_id, on_closed_days }: Planned) {
  const asked = { starts_on, time, rrule, calendar_id, on_closed_days };
  const { data } = useItem('GET /recurring-tickets.php?action=preview', asked);
  return (
    <Section title={t('Next dates')}>
      <div className="next-dates">{data && <Dates dates={data.dates} zone={data.time_zone} />}</div>
    </Section>
  );
}

function Created({ id }: { id: number }) {
  const list = usePages(OCCURRENCES, { id });
  const { rows, more } = useShowMore(list);
  return (
    <Section title={t('Tickets')}>
      <Loaded list={list}>
        <SimpleTable<Occurrence>
          label={t('Tickets')}
          rows={rows}
          empty={t('No tickets yet.')}
          to={(row) => addressWith('/tickets/:quoted', row.ticket_id)}
          columns={[
            { key: 'day', title: t('Date'), width: '8rem', cell: (row) => date(row.day) },
            { key: 'company', title: t('Company'), width: '1fr', cell: (row) => row.company_name },
            { key: 'created', title: t('Created'), width: '10rem', cell: (row) => <Time at={row.created_at} /> },
            {
              key: 'missed',
              title: t('Missed dates before'),
              width: '8rem',
              cell: (row) => (row.missed > 0 ? row.missed : ''),
            },
          ]}
        />
        {more}
      </Loaded>
    </Section>
  );
}
