// Whether a colleague can sign in to the portal, and how they get in.
import { Button, Card, date, Failed, Secret, Time, toast, useChange, useItem } from '@keelson/web';
import { useState } from 'react';

const ACCESS = 'GET /employees/{id}/portal-access';
const INVITE = 'POST /employees/invite';

export default function PortalAccess({ record: person }: { record: { employee_number: number } }) {
  const { employee_number } = person;
  const { data, error } = useItem(ACCESS, { id: employee_number });

  const [link, setLink] = useState<string>();
  const invite = useChange(INVITE, {
    touches: ['/employees'],
    done: ({ invited: [made], skipped: [not] }) => {
      if (made) toast(made.link === null ? `Invitation sent to ${made.email}` : 'Invitation made');
      else if (not) toast(not.reason);
      setLink(made?.link ?? undefined);
    },
  });
  if (error) return <Failed error={error} />;
  if (!data) return null;
  const { access, invited_at, invitation_expires_at, last_signed_in_at } = data;
  return (
    <Card title="Portal access">
      {access === 'granted' && (
        <p>
          Can sign in.{' '}
          {last_signed_in_at === null ? (
            'Has not signed in lately.'
          ) : (
            <>
              Last signed in <Time at={last_signed_in_at} />.
            </>
          )}
        </p>
      )}
      {access === 'invited' && invited_at !== null && invitation_expires_at !== null && (
        <p>
          Invited <Time at={invited_at} />. The link works until {date(invitation_expires_at)}.
        </p>
      )}
      {access === 'none' && (
        <p>{invited_at === null ? 'Cannot sign in yet.' : 'Was invited, but the link is no longer valid.'}</p>
      )}
      {link !== undefined && <Secret title="No mail goes out: hand over this link">{link}</Secret>}
      {access !== 'granted' && (
        <p>
          <Button
            icon="send"
            disabled={invite.isPending}
            onClick={() => invite.mutate({ body: { employee_numbers: [employee_number] } })}
          >
            {access === 'invited' ? 'Invite again' : 'Invite to portal'}
          </Button>
        </p>
      )}
    </Card>
  );
}
