import {
  Bones,
  Dialog,
  Failed,
  firstRows,
  SimpleTable,
  Time,
  usePages,
  type Column,
  type Data,
  type Row,
} from '@keelson/web';

type Credential = Data<'GET /assets.php?id={id}'>['credentials'][number];
const LIST = 'GET /assets.php?action=credential-history&id={id}&login_id={login_id}';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'user', title: 'Who', width: '', look: 'strong', cell: (each) => each.user },
  { key: 'what', title: 'What', width: '', cell: (each) => each.description },
  { key: 'at', title: 'When', width: '', look: 'muted', cell: (each) => <Time at={each.created_at} form="moment" /> },
];

interface CredentialLogProps {
  readonly credential: Credential;
  readonly onClose: () => void;
}

/** Access log of a credential: who changed it and who revealed its password, newest first. */
export function CredentialLog({ credential: { asset_id, login_id, label }, onClose }: CredentialLogProps) {
  const list = usePages(LIST, { id: asset_id, login_id });
  return (
    <Dialog title={`Access log of ${label}`} open wide onClose={onClose}>
      {list.error ? (
        <Failed error={list.error} retry={list.retry} />
      ) : list.loading ? (
        <Bones />
      ) : (
        <SimpleTable label="Log" rows={firstRows(list, SHOWN)} columns={columns} empty="No one yet." />
      )}
    </Dialog>
  );
}
