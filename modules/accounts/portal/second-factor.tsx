// Second-factor settings: status, new recovery codes, and disabling it.
import {
  Badge,
  Button,
  Card,
  Dialog,
  Form,
  TextField,
  texts,
  Time,
  toast,
  useChange,
  useItem,
  rawText,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { RecoveryCodes, SetUp, type DialogProps } from './set-up-factor.tsx';

const touches = ['/auth/mfa'];
type Step = 'begin' | 'codes' | 'off';

export function SecondFactor() {
  const { data } = useItem('GET /auth/mfa');
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  if (!data) return null;
  return (
    <Card
      title={t('Two-factor authentication')}
      act={data.enabled ? <Badge tone="ok">{t('On')}</Badge> : <Badge tone="muted">{t('Off')}</Badge>}
    >
      <p>
        {data.enabled ? (
          <>
            {rich('On since {enabled_at}. You have {recovery_codes_left} recovery codes left.', {
              enabled_at: <Time at={data.enabled_at} form="date" />,
              recovery_codes_left: data.recovery_codes_left,
            })}
          </>
        ) : (
          t('Require a code from an authenticator app at sign-in, so that a stolen password is not enough.')
        )}
      </p>
      <div className="actions">
        {data.enabled ? (
          <>
            <Button onClick={() => setStep('codes')}>{t('New recovery codes')}</Button>
            <Button onClick={() => setStep('off')}>{t('Turn off')}</Button>
          </>
        ) : (
          <Button look="primary" icon="shield" onClick={() => setStep('begin')}>
            {t('Set up')}
          </Button>
        )}
      </div>
      <SetUp open={step === 'begin'} onClose={close} />
      <NewCodes open={step === 'codes'} onClose={close} />
      <SwitchOff open={step === 'off'} onClose={close} />
    </Card>
  );
}

/** Returns a code from the app, or a recovery code. */
function proofOf(given: FormData): { otp: string } | { recovery_code: string } {
  const { code } = texts(given, 'code');
  return /^\d[\d ]{4,}\d$/.test(code) ? { otp: code.replaceAll(' ', '') } : { recovery_code: code };
}

const CodeField = () => (
  <TextField name="code" label={t('Authenticator or recovery code')} required autoComplete="one-time-code" max={100} />
);

function NewCodes({ open, onClose }: DialogProps) {
  const make = useChange('POST /auth/mfa/recovery-codes', { quiet: open, touches });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog title={t('New recovery codes')} open={open} onClose={close}>
      {make.data ? (
        <RecoveryCodes codes={make.data.recovery_codes} onClose={close} />
      ) : (
        <Form
          submit={t('Generate codes')}
          busy={make.isPending}
          error={make.error}
          onCancel={close}
          onSubmit={(given) => make.mutate({ body: proofOf(given) })}
        >
          <p>{t('Your current codes will stop working.')}</p>
          <CodeField />
        </Form>
      )}
    </Dialog>
  );
}

function SwitchOff({ open, onClose }: DialogProps) {
  const off = useChange('POST /auth/mfa/disable', {
    quiet: open,
    touches,
    done: () => {
      toast(t('Two-factor authentication is off'));
      onClose();
    },
  });
  return (
    <Dialog title={t('Turn off two-factor authentication')} open={open} onClose={onClose}>
      <Form
        submit={t('Turn off')}
        busy={off.isPending}
        error={off.error}
        onCancel={onClose}
        onSubmit={(given) =>
          off.mutate({ body: { current_password: rawText(given, 'current_password'), ...proofOf(given) } })
        }
      >
        <TextField
          name="current_password"
          label={t('Your password')}
          type="password"
          required
          autoFocus
          autoComplete="current-password"
        />
        <CodeField />
      </Form>
    </Dialog>
  );
}
