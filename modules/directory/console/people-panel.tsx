import { Avatar, Card, firstRows, Link, Phone, usePages, t } from '@keelson/web';

const LIST = 'GET /contacts.php';
const SHOWN = 8;

/** The people of a company, with their rights. */
export default function People({ company }: { company: { company_number: number } }) {
  const { company_number } = company;
  const list = usePages(LIST, { company_number, status: 'Active' });
  const people = firstRows(list, SHOWN);
  return (
    <Card title={t('People')}>
      <ul className="people">
        {people.map((each) => (
          <li key={each.employee_number}>
            <Avatar name={`${each.first_name} ${each.last_name}`} />
            <div>
              <Link href={`/contacts/${each.employee_number}`}>
                <b>
                  {each.first_name} {each.last_name}
                </b>
              </Link>
              <span className="tone-muted">
                {[each.title, each.ismgr && t('approves'), each.it_privileges && t('IT admin')]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {(each.phone || each.mobile) && <Phone number={each.phone || each.mobile} />}
            </div>
          </li>
        ))}
      </ul>
      {list.total > SHOWN && (
        <Link href={`/contacts?company_number=${company_number}`}>{t('All {total}', { total: list.total })}</Link>
      )}
    </Card>
  );
}
