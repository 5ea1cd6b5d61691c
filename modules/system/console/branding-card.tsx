// Branding settings: name, and the logo shown by the portal, mails and invoices.
import {
  Bones,
  Button,
  Card,
  confirm,
  Failed,
  FilesButton,
  Form,
  rawText,
  sendFiles,
  TextField,
  toast,
  useChange,
  useItem,
  t,
} from '@keelson/web';

const TOUCHED = ['/settings/branding.php'];

export function BrandingCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem('GET /settings/branding.php');
  const rename = useChange('PUT /settings/branding.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('Name saved')),
  });
  const remove = useChange('DELETE /settings/logo.php', { touches: TOUCHED, done: () => toast(t('Logo removed')) });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const upload = async (files: readonly File[]) => {
    const sent = await sendFiles('POST /settings/logo.php', {
      args: {},
      files: files.slice(0, 1),
      touches: '/settings/branding.php',
    });
    if (sent) toast(t('Logo saved'));
  };
  const takeAway = async () => {
    if (await confirm({ title: t('Remove logo?'), act: t('Remove'), danger: true })) remove.mutate({});
  };
  const submit = (given: FormData) => rename.mutate({ body: { company_name: rawText(given, 'company_name') } });
  return (
    <Card title={t('Name and logo')}>
      <div className="logo-row">
        {data.logo_url.startsWith('/') && <img src={data.logo_url} alt={t('Current logo')} className="logo-now" />}
        {may && (
          <FilesButton label={t('PNG or JPEG')} onFiles={(files) => void upload(files)}>
            {data.logo_url === '' ? t('Upload logo') : t('Replace logo')}
          </FilesButton>
        )}
        {may && data.logo_url !== '' && (
          <Button look="quiet" icon="trash" onClick={() => void takeAway()}>
            {t('Remove')}
          </Button>
        )}
      </div>
      <Form submit={t('Save name')} error={rename.error} busy={rename.isPending || !may} onSubmit={submit}>
        <TextField
          name="company_name"
          label={t('Name')}
          value={data.company_name}
          hint={t('Shown in the portal, mails and invoices.')}
        />
      </Form>
    </Card>
  );
}
