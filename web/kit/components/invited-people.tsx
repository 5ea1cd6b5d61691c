// Result of inviting people to the portal: who was invited, who was not and why, and links if no mail can be sent.
import { useEffect, useState } from 'react';
import { copy } from '../copy.ts';
import { counted } from '../format.ts';
import { SimpleTable } from '../list/simple-table.tsx';
import type { Column } from '../list/table.tsx';
import { ask, dataOf } from '../request/client.ts';
import { t } from '../shell/words.ts';
import { Icon } from './icon.tsx';
import { Button, Card, Note } from './parts.tsx';
import { toastError } from './toast.tsx';

export interface Invited {
  readonly invited: readonly Invitation[];
  readonly skipped: readonly { readonly employee_number: number; readonly reason: string }[];
}

interface Invitation {
  readonly employee_number: number;
  readonly email: string;
  readonly link: string | null;
}

const linkColumns: readonly Column<Invitation>[] = [
  { key: 'email', title: t('E-mail'), width: '', look: 'strong', cell: (each) => each.email },
  {
    key: 'link',
    title: t('Link'),
    width: '',
    cell: (each) => (
      <Button size="small" icon="copy" onClick={() => copy(each.link ?? '')}>
        {t('Copy the link')} <span className="hidden">{t('of {email}', { email: each.email })}</span>
      </Button>
    ),
  },
];

const skippedColumns: readonly Column<Invited['skipped'][number]>[] = [
  { key: 'reason', title: t('Reason'), width: '', cell: (each) => each.reason },
];

export function InvitedPeople({ of: { invited, skipped } }: { of: Invited }) {
  const links = invited.filter(({ link }) => link !== null);
  return (
    <>
      <Note
        tone={skipped.length > 0 ? 'warn' : 'ok'}
        title={t('{length} invited.', { length: counted(invited.length, 'people') })}
      >
        {links.length > 0
          ? t('No mail is sent: share the links yourself. They are shown only once.')
          : invited.length > 0 && t('Each receives a mail with a link.')}
      </Note>
      {links.length > 0 && (
        <Card title={t('Links')} act={<Links of={links} />} flush>
          <SimpleTable label={t('Links')} rows={links} columns={linkColumns} />
        </Card>
      )}
      {skipped.length > 0 && (
        <Card title={t('Not invited')} flush>
          <SimpleTable label={t('Not invited')} rows={skipped} columns={skippedColumns} />
        </Card>
      )}
    </>
  );
}

/** Download of the links, for a mail merge. */
function Links({ of: links }: { of: readonly Invitation[] }) {
  const [href, setHref] = useState<string>();
  useEffect(() => {
    const lines = links.map(({ email, link }) => `"${email.replaceAll('"', '""')}","${link ?? ''}"`);
    const made = URL.createObjectURL(
      new Blob(['\ufeff', ['"E-mail","Link"', ...lines].join('\r\n')], { type: 'text/csv' }),
    );
    setHref(made);
    return () => URL.revokeObjectURL(made);
  }, [links]);
  return (
    <a className="button small" href={href} download="invitations.csv">
      <Icon name="download" /> {t('Download')}
    </a>
  );
}

interface InviteImportedProps {
  readonly import_id: number;
  readonly operation: 'POST /contacts.php?action=invite-imported' | 'POST /employees/invite-imported';
}

interface InvitedSome extends Invited {
  readonly next: number | null;
}

/** Invites the people created by an import, in batches. */
export function InviteImported({ import_id, operation }: InviteImportedProps) {
  const [done, setDone] = useState<Invited>();
  // Where to continue after an error, so that no one is invited twice.
  const [next, setNext] = useState<number | null>(0);
  const [busy, setBusy] = useState(false);
  const invite = async () => {
    setBusy(true);
    try {
      let all: Invited = done ?? { invited: [], skipped: [] };
      for (let after: number | null = next; after !== null;) {
        const answer = dataOf(await ask(operation, { body: { import_id, after } })) as InvitedSome;
        all = { invited: [...all.invited, ...answer.invited], skipped: [...all.skipped, ...answer.skipped] };
        after = answer.next;
        setDone(all);
        setNext(after);
      }
    } catch (error) {
      toastError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {done && <InvitedPeople of={done} />}
      {(next !== null || busy) && (
        <p>
          <Button icon="send" disabled={busy} onClick={() => void invite()}>
            {done && !busy ? t('Invite the others') : t('Invite these people')}
          </Button>
        </p>
      )}
    </>
  );
}
