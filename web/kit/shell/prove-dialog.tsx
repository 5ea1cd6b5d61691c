import { useSyncExternalStore } from 'react';
import { Dialog } from '../components/menu.tsx';
import { Form, rawText, TextField } from '../form/form.tsx';
import { useChange } from '../request/client.ts';
import { answerProof, askedToProve, subscribeProof } from './prove.ts';
import { t } from './words.ts';

/** Renders the re-authentication dialog; mounted once by the console. */
export function Proofs() {
  return useSyncExternalStore(subscribeProof, askedToProve) && <ProofDialog />;
}

function ProofDialog() {
  const check = useChange('POST /technicians.php?action=confirm', { quiet: true, done: () => answerProof(true) });
  const cancel = () => answerProof(false);
  const submit = (form: FormData) => {
    const given = rawText(form, 'proof');
    // Passwords are always longer than codes.
    check.mutate({ body: /^[\d\s]{6,7}$/.test(given) ? { code: given } : { password: given } });
  };
  return (
    <Dialog title={t('Confirm it’s you')} open onClose={cancel}>
      <Form submit={t('Confirm')} busy={check.isPending} error={check.error} onCancel={cancel} onSubmit={submit}>
        <TextField
          name="proof"
          label={t('Password')}
          type="password"
          autoComplete="current-password"
          hint={t(
            'Or a code from your authenticator app. Required once per session before stored passwords are shown.',
          )}
          required
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
