// Example of a plugin page: a list with a filter, and recording the vendor's response.
import {
  addressWith,
  Badge,
  Filter,
  ListPage,
  Menu,
  t,
  Time,
  toast,
  useChange,
  useMay,
  usePages,
  useSearchParams,
  withinSentence,
  type Column,
  type Row,
} from '@keelson/web';

const LIST = 'GET /warranty/claims.php';
type Claim = Row<typeof LIST>;
type State = Claim['state'];

const states = { sent: t('Sent'), accepted: t('Accepted'), refused: t('Refused') } as const;
const tones = { sent: 'info', accepted: 'ok', refused: 'danger' } as const;
const answers = (['accepted', 'refused'] as const).map((value) => ({ value, label: states[value] }));

const columns: readonly Column<Claim>[] = [
  { key: 'product', title: t('Product'), width: 'minmax(12rem, 1fr)', look: 'strong', cell: (each) => each.product },
  { key: 'vendor', title: t('Vendor'), width: '10rem', cell: (each) => each.vendor },
  {
    key: 'state',
    title: t('State'),
    width: '6rem',
    cell: ({ state }) => <Badge tone={tones[state]}>{states[state]}</Badge>,
  },
  { key: 'sent', title: t('Sent'), width: '6rem', look: 'muted right', cell: (each) => <Time at={each.created_at} /> },
  {
    key: 'answer',
    title: t('Answer'),
    untitled: true,
    width: '8rem',
    look: 'right',
    cell: (each) => <Answer {...each} />,
  },
];

/** Row buttons, shown while the vendor has not responded, with write permission. */
function Answer({ claim_id, vendor, state }: Claim) {
  const may = useMay();
  const answer = useChange('PUT /warranty/claims.php?id={id}', {
    touches: ['/warranty/claims.php'],
    done: (claim) => toast(`${claim.vendor}: ${withinSentence(states[claim.state])}`),
  });
  if (state !== 'sent' || !may('warranty:write')) return null;
  const write = (state: 'accepted' | 'refused') => answer.mutate({ id: claim_id, body: { state } });
  return (
    <Menu label={t('Response from {vendor}', { vendor })} className="button small" choices={answers} onChoose={write}>
      {t('Answered')}
    </Menu>
  );
}

export default function Claims() {
  const [params, setParams] = useSearchParams();
  const state = (params.get('state') ?? undefined) as State | undefined;
  const filter = (value: string) => setParams(value ? { state: value } : {});

  return (
    <ListPage
      title={t('Warranty claims')}
      list={usePages(LIST, state ? { state } : {})}
      columns={columns}
      id={(each) => each.claim_id}
      to={(each) => addressWith('/tickets/:quoted', each.ticket_id)}
      empty={t('No warranty claims yet. Claims filed with vendors appear here with their tickets.')}
      actions={
        <Filter label={t('State')} any={t('Any state')} value={state ?? ''} choices={states} onChoose={filter} />
      }
    />
  );
}
