import {
  Dialog,
  Explained,
  Loaded,
  firstRows,
  SimpleTable,
  Time,
  usePages,
  type Column,
  type Data,
  type Row,
  t,
} from '@keelson/web';

type Credential = Data<'GET /assets.php?id={id}'>['credentials'][number];
const LIST = 'GET /assets.php?action=credential-history&id={id}&login_id={login_id}';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'user', title: t('Who'), width: '', look: 'strong', cell: (each) => each.user },
  { key: 'what', title: t('What'), width: '', cell: (each) => <Explained text={each.description} /> },
  {
    key: 'at',
    title: t('When'),
    width: '',
    look: 'muted',
    cell: (each) => <Time at={each.created_at} form="moment" />,
  },
];

interface CredentialLogProps {
  readonly credential: Credential;
  readonly onClose: () => void;
}

/** Access log of a credential: who changed it and who revealed its password, newest first. */
export function CredentialLog({ credential: { asset_id, login_id, label }, onClose }: CredentialLogProps) {
  const list = usePages(LIST, { id: asset_id, login_id });
  return (
    <Dialog title={t('Access log of {label}', { label })} open wide onClose={onClose}>
      <Loaded list={list}>
        <SimpleTable label={t('Log')} rows={firstRows(list, SHOWN)} columns={columns} empty={t('No one yet.')} />
      </Loaded>
    </Dialog>
  );
}
