// What happened at a company lately: changes of its records, newest first.
import {
  Avatar,
  Bones,
  Button,
  Explained,
  Failed,
  firstRows,
  Line,
  Lines,
  t,
  Time,
  usePages,
  useRecordLink,
  words,
  type Row,
} from '@keelson/web';
import { useState } from 'react';

const LIST = 'GET /companies.php?action=activity&id={id}';
const SHOWN = 25;
type Entry = Row<typeof LIST>;

export default function CompanyActivity({ company: { company_number } }: { company: { company_number: number } }) {
  const list = usePages(LIST, { id: company_number });
  const linkOf = useRecordLink();
  const [shown, setShown] = useState(SHOWN);
  if (list.error) return <Failed error={list.error} retry={list.retry} />;
  if (list.loading) return <Bones />;
  if (list.total === 0) return <p className="none">{t('No activity yet')}</p>;
  const showMore = () => {
    list.need(0, shown + SHOWN - 1);
    setShown(shown + SHOWN);
  };
  return (
    <>
      <Lines title={t('Activity')}>
        {firstRows(list, shown).map((each) => (
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
      {list.total > shown && <Button onClick={showMore}>{t('Show more')}</Button>}
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
