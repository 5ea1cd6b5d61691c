// The person's calendar feeds, which calendar apps subscribe to.
import {
  Button,
  call,
  CheckField,
  confirm,
  copy,
  Form,
  IconButton,
  queries,
  SelectField,
  stale,
  toastError,
  useAllRows,
  useChange,
  useItem,
  useMay,
  type Row,
  t,
} from '@keelson/web';
import { useState } from 'react';

const LIST = 'GET /dispatch/feeds.php';
type Feed = Row<typeof LIST>;

const kinds: Readonly<Record<Feed['kind'], string>> = {
  own: t('My appointments'),
  team: t('Appointments of a team'),
  on_call: t('On-call rota of a team'),
};

function titleOf({ kind, team_name }: Feed): string {
  if (kind === 'own') return kinds.own;
  const team = team_name ?? t('a deleted team');
  return kind === 'team' ? t('Appointments of {team}', { team }) : t('On-call rota of {team}', { team });
}

export function Feeds() {
  const feeds = useItem(LIST).data ?? [];
  const reads = useMay()('teams:read');
  const { rows: teams } = useAllRows('GET /teams.php', {}, { enabled: reads });
  const [kind, setKind] = useState<string>('own');
  const create = useChange('POST /dispatch/feeds.php', { quiet: true, touches: ['/dispatch/feeds.php'] });
  const submit = (given: FormData) =>
    create.mutate({
      body: {
        kind: kind as Feed['kind'],
        ...(kind !== 'own' && { team_id: Number(given.get('team_id')) }),
        busy_only: given.get('busy_only') === 'true',
      },
    });
  return (
    <>
      <p>{t('Subscribe to an address in your calendar program. Everyone who knows it can read the calendar.')}</p>
      <ul className="linked">
        {feeds.map((each: Feed) => (
          <li key={each.feed_id}>
            <span>
              {titleOf(each)}
              {each.busy_only && <span className="tone-muted"> {t('· busy only')}</span>}
            </span>
            <span>
              <Button size="small" icon="copy" onClick={() => copy(each.address)}>
                {t('Copy address')}
                <span className="hidden"> {t('of {feed}', { feed: titleOf(each) })}</span>
              </Button>
              <IconButton
                icon="trash"
                label={t('Revoke {feed}', { feed: titleOf(each) })}
                className="quiet"
                onClick={() => void revoke(each).catch(toastError)}
              />
            </span>
          </li>
        ))}
      </ul>
      <Form submit={t('Add feed')} busy={create.isPending} error={create.error} onSubmit={submit}>
        <SelectField
          name="kind"
          label={t('Calendar')}
          required
          value={kind}
          choices={Object.entries(kinds)
            .filter(([value]) => value === 'own' || teams.length > 0)
            .map(([value, label]) => ({ value, label }))}
          onChoose={setKind}
        />
        {kind !== 'own' && (
          <SelectField
            name="team_id"
            label={t('Team')}
            required
            choices={teams.map(({ team_id, name }) => ({
              value: team_id,
              label: name,
            }))}
          />
        )}
        <CheckField name="busy_only" label={t('Busy only, without titles and customers')} />
      </Form>
    </>
  );
}

async function revoke(feed: Feed): Promise<void> {
  const text = t('Calendar programs that use its address can no longer read it.');
  if (!(await confirm({ title: t('Revoke “{feed}”?', { feed: titleOf(feed) }), text, act: t('Revoke'), danger: true })))
    return;
  await call('DELETE /dispatch/feeds.php?id={id}', { id: feed.feed_id });
  await stale(queries, ['/dispatch/feeds.php']);
}
