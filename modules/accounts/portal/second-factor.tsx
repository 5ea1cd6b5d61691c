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
      title="Two-factor authentication"
      act={data.enabled ? <Badge tone="ok">On</Badge> : <Badge tone="muted">Off</Badge>}
    >
      <p>
        {data.enabled ? (
          <>
            On since <Time at={data.enabled_at} form="date" />. You have {data.recovery_codes_left} recovery codes left.
          </>
        ) : (
          'Require a code from an authenticator app at sign-in, so that a stolen password is not enough.'
        )}
      </p>
      <div className="actions">
        {data.enabled ? (
          <>
            <Button onClick={() => setStep('codes')}>New recovery codes</Button>
            <Button onClick={() => setStep('off')}>Turn off</Button>
          </>
        ) : (
          <Button look="primary" icon="shield" onClick={() => setStep('begin')}>
            Set up
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
  <TextField name="code" label="Authenticator or recovery code" required autoComplete="one-time-code" max={100} />
);

function NewCodes({ open, onClose }: DialogProps) {
  const make = useChange('POST /auth/mfa/recovery-codes', { quiet: true, touches });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog title="New recovery codes" open={open} onClose={close}>
      {make.data ? (
        <RecoveryCodes codes={make.data.recovery_codes} onClose={close} />
      ) : (
        <Form
          submit="Generate codes"
          busy={make.isPending}
          error={make.error}
          onCancel={close}
          onSubmit={(given) => make.mutate({ body: proofOf(given) })}
        >
          <p>Your current codes will stop working.</p>
          <CodeField />
        </Form>
      )}
    </Dialog>
  );
}

function SwitchOff({ open, onClose }: DialogProps) {
  const off = useChange('POST /auth/mfa/disable', {
    quiet: true,
    touches,
    done: () => {
      toast('Two-factor authentication is off');
      onClose();
    },
  });
  return (
    <Dialog title="Turn off two-factor authentication" open={open} onClose={onClose}>
      <Form
        submit="Turn off"
        names={['current_password']}
        busy={off.isPending}
        error={off.error}
        onCancel={onClose}
        onSubmit={(given) =>
          off.mutate({ body: { current_password: rawText(given, 'current_password'), ...proofOf(given) } })
        }
      >
        <TextField
          name="current_password"
          label="Your password"
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
