// Landing page of the providers' redirect after signing in to a mailbox.
import { Bones, Failed, RecordPage, t, toast, useChange, useGo } from '@keelson/web';
import { useEffect, useRef } from 'react';

const back = { to: '/mailboxes', title: t('Back to mailboxes') };

export default function SignedIn() {
  const go = useGo();
  const begun = useRef(false);
  const finish = useChange('POST /mailboxes.php?action=signed-in', {
    quiet: true,
    touches: ['/mailboxes'],
    done: ({ mailbox_id, address }) => {
      toast(t('Signed in to {address}', { address }));
      go(`/mailboxes/${mailbox_id}`, { replace: true });
    },
  });
  const given = useRef(new URLSearchParams(location.search));
  const refused = given.current.get('error_description') ?? given.current.get('error');
  const { mutate } = finish;
  useEffect(() => {
    const [state, code] = [given.current.get('state'), given.current.get('code')];
    // Remove the code from the browser history.
    history.replaceState(null, '', location.pathname);
    if (begun.current || refused) return;
    // The page was reloaded.
    if (!state || !code) return go('/mailboxes', { replace: true });
    begun.current = true;
    mutate({ body: { state, code } });
  }, [mutate, go, refused]);
  const error = finish.error ?? (refused ? new Error(refused) : undefined);
  return (
    <RecordPage title={t('Sign in to a mailbox')} back={back}>
      {error ? <Failed error={error} /> : <Bones />}
    </RecordPage>
  );
}
