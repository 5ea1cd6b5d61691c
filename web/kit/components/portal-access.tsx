// Portal access of a customer's employee: status and invitation, for technicians and IT admins.
import { useState } from 'react';
import { date } from '../format.ts';
import { useChange, useItem } from '../request/client.ts';
import { t } from '../shell/words.ts';
import { Button, Card, Failed, Time } from './parts.tsx';
import { rich } from './rich.tsx';
import { Secret } from './secret.tsx';
import { toast } from './toast.tsx';

type Read = 'GET /contacts.php?action=portal-access&id={id}';
type Invite = 'POST /contacts.php?action=invite';

interface PortalAccessProps {
  readonly employee_number: number;
  /** Operations of the current surface. */
  readonly read: Read | 'GET /employees/{id}/portal-access';
  readonly invite: Invite | 'POST /employees/invite';
  /** Path invalidated by an invitation. */
  readonly touches: string;
  readonly mayInvite: boolean;
}

export function PortalAccess({ employee_number, read, invite, touches, mayInvite }: PortalAccessProps) {
  // Both surfaces return the same data, each in its own envelope.
  const { data, error } = useItem(read as Read, { id: employee_number });
  const [link, setLink] = useState<string>();
  const inviting = useChange(invite as Invite, {
    touches: [touches],
    done: ({ invited: [made], skipped: [not] }) => {
      if (made)
        toast(made.link === null ? t('Invitation sent to {email}', { email: made.email }) : t('Invitation created'));
      else if (not) toast(not.reason);
      setLink(made?.link ?? undefined);
    },
  });
  if (error) return <Failed error={error} />;
  if (!data) return null;
  const { access, invited_at, invitation_expires_at, last_signed_in_at } = data;
  return (
    <Card title={t('Portal access')}>
      {access === 'granted' && (
        <p>
          {t('Can sign in.')}{' '}
          {last_signed_in_at === null ? (
            t('No recent sign-ins.')
          ) : (
            <>{rich('Last signed in {last_signed_in_at}.', { last_signed_in_at: <Time at={last_signed_in_at} /> })}</>
          )}
        </p>
      )}
      {access === 'invited' && invited_at !== null && invitation_expires_at !== null && (
        <p>
          {rich('Invited {invited_at}. The link expires {invitation_expires_at}.', {
            invited_at: <Time at={invited_at} />,
            invitation_expires_at: date(invitation_expires_at),
          })}
        </p>
      )}
      {access === 'none' && (
        <p>{invited_at === null ? t('Cannot sign in yet.') : t('Invited, but the link has expired.')}</p>
      )}
      {link !== undefined && <Secret title={t('Mail is not set up: share this link')}>{link}</Secret>}
      {access !== 'granted' && mayInvite && (
        <p>
          <Button
            icon="send"
            disabled={inviting.isPending}
            onClick={() => inviting.mutate({ body: { employee_numbers: [employee_number] } })}
          >
            {access === 'invited' ? t('Resend invitation') : t('Invite to portal')}
          </Button>
        </p>
      )}
    </Card>
  );
}
