// What happened at a company lately: changes of its records, newest first.
import {
  Avatar,
  Bones,
  Explained,
  Failed,
  Line,
  Lines,
  t,
  Time,
  usePages,
  useRecordLink,
  useShowMore,
  words,
  type Row,
} from '@keelson/web';

const LIST = 'GET /companies.php?action=activity&id={id}';
type Entry = Row<typeof LIST>;

export default function CompanyActivity({ company: { company_number } }: { company: { company_number: number } }) {
  const list = usePages(LIST, { id: company_number });
  const linkOf = useRecordLink();
  const { rows, more } = useShowMore(list);
  if (list.error) return <Failed error={list.error} retry={list.retry} />;
  if (list.loading) return <Bones />;
  if (list.total === 0) return <p className="none">{t('No activity yet')}</p>;
  return (
    <>
      <Lines title={t('Activity')}>
        {rows.map((each) => (
          <Line
            key={each.log_id}
            start={<Avatar name={each.user} size="small" />}
            title={<Explained text={each.description} />}
            to={each.action === 'delete' ? undefined : linkOf(each.record_type, each.record_id)}
            about={[each.user, changedIn(each)]}
            end={<Time at={each.created_at} />}
          />
        ))}
      </Lines>
      {more}
    </>
  );
}

/** Fields that only follow from another change. */
const untold = new Set(['closed_at', 'updated_at']);

/** Returns the names of the changed fields, with the new status. */
function changedIn({ action, changed, status }: Entry): string {
  if (action !== 'update') return '';
  const titles = changed
    .filter((field) => !untold.has(field))
    .map((field) => (field === 'status' && status ? `${words(field)}: ${words(status)}` : words(field)));
  return titles.join(', ');
}
