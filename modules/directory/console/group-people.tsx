import {
  Avatar,
  Button,
  Card,
  Dialog,
  Form,
  IconButton,
  Link,
  RecordField,
  toast,
  useRewrite,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';

const READ = 'GET /manager-groups.php?id={code}&company_number={company_number}';
const WRITE = 'PUT /manager-groups.php?id={code}&company_number={company_number}';
type Group = Data<typeof READ>;
type Person = Group['managers'][number];
type Role = 'managers' | 'members';

const wording = {
  managers: { title: t('Managers'), add: t('Add manager'), none: t('No managers yet.') },
  members: { title: t('Members'), add: t('Add member'), none: t('No members yet.') },
} as const;

interface GroupPeopleProps {
  readonly group: Group;
  readonly role: Role;
  readonly may: boolean;
}

/** The managers or the members of a group; anyone in the company can be either. */
export function GroupPeople({ group, role, may }: GroupPeopleProps) {
  const { code, company_number, [role]: people } = group;
  const { title, add, none } = wording[role];
  const [open, setOpen] = useState(false);
  const { busy, rewrite } = useRewrite(
    READ,
    WRITE,
    { code, company_number },
    {
      touches: ['/manager-groups.php', '/contacts.php'],
      done: () => {
        toast(t('Saved'));
        setOpen(false);
      },
    },
  );
  const edited = (edit: (now: readonly number[]) => readonly number[]) =>
    rewrite(({ [role]: now }) => ({ [role]: edit(now.map((each) => each.employee_number)) }));
  return (
    <Card
      title={people.length > 0 ? `${title} (${people.length})` : title}
      act={
        may && (
          <Button size="small" icon="plus" onClick={() => setOpen(true)}>
            {add}
          </Button>
        )
      }
    >
      {people.length === 0 && <p className="tone-muted">{none}</p>}
      <ul className="people">
        {people.map((each) => (
          <li key={each.employee_number}>
            <Avatar name={nameOf(each)} />
            <div>
              <Link href={`/contacts/${each.employee_number}`}>
                <b>{nameOf(each)}</b>
              </Link>
              <span className="tone-muted">{each.email}</span>
            </div>
            {may && (
              <IconButton
                icon="x"
                label={
                  role === 'managers'
                    ? t('Remove {name} from managers', { name: nameOf(each) })
                    : t('Remove {name} from members', { name: nameOf(each) })
                }
                disabled={busy}
                onClick={() => edited((now) => now.filter((one) => one !== each.employee_number))}
              />
            )}
          </li>
        ))}
      </ul>
      <Dialog title={add} open={open} onClose={() => setOpen(false)}>
        <Form
          submit={t('Add')}
          busy={busy}
          onCancel={() => setOpen(false)}
          onSubmit={(given) => edited((now) => [...new Set([...now, Number(given.get('employee_number'))])])}
        >
          <RecordField type="contact" name="employee_number" label={t('Person')} where={{ company_number }} required />
        </Form>
      </Dialog>
    </Card>
  );
}

const nameOf = ({ first_name, last_name }: Person): string => `${first_name} ${last_name}`;
