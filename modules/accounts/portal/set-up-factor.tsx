// The steps of setting up a second factor: password, key, first code, recovery codes.
import { Button, Dialog, Form, TextField, texts, toast, useChange, rawText, rich, t } from '@keelson/web';

const touches = ['/auth/mfa'];

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SetUp({ open, onClose }: DialogProps) {
  const begin = useChange('POST /auth/mfa', { quiet: open });
  const confirm = useChange('POST /auth/mfa/confirm', { quiet: open, touches });
  const key = begin.data;
  const codes = confirm.data?.recovery_codes;
  const close = () => {
    begin.reset();
    confirm.reset();
    onClose();
  };
  return (
    <Dialog title={t('Set up two-factor authentication')} open={open} onClose={close}>
      {!key && (
        <Form
          submit={t('Continue')}
          busy={begin.isPending}
          error={begin.error}
          onCancel={close}
          onSubmit={(given) => begin.mutate({ body: { current_password: rawText(given, 'current_password') } })}
        >
          <TextField
            name="current_password"
            label={t('Your password')}
            type="password"
            required
            autoFocus
            autoComplete="current-password"
          />
        </Form>
      )}
      {key && !codes && (
        <Form
          submit={t('Turn on')}
          busy={confirm.isPending}
          error={confirm.error}
          onCancel={close}
          onSubmit={(given) => confirm.mutate({ body: { otp: texts(given, 'otp').otp.replaceAll(' ', '') } })}
        >
          <p>
            {rich('Scan this QR code with your authenticator app, enter the key below, or on this phone {open}:', {
              open: <a href={key.otpauth_uri}>{t('open it in the app')}</a>,
            })}
          </p>
          <img className="factor-qr" src={key.qr_code} alt={t('QR code for the key')} width="176" height="176" />
          <code className="factor-key">{(key.secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          <TextField
            name="otp"
            label={t('Code from your app')}
            required
            autoFocus
            autoComplete="one-time-code"
            max={10}
          />
        </Form>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={close} />}
    </Dialog>
  );
}

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <>
      <p>
        {t(
          'Store these recovery codes somewhere you can reach without your phone. Each code works once, and they will not be shown again.',
        )}
      </p>
      <ul className="recovery-codes">
        {codes.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button
          icon="copy"
          onClick={() => void navigator.clipboard.writeText(codes.join('\n')).then(() => toast(t('Copied')))}
        >
          {t('Copy')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('I’ve saved them')}
        </Button>
      </div>
    </>
  );
}
