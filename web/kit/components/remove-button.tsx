import { t } from '../shell/words.ts';
import { confirm } from './confirm.tsx';
import { Button } from './parts.tsx';

interface RemoveButtonProps {
  /** The confirmation question: `Remove mail server?`. */
  readonly question: string;
  /** The consequence of removing it. */
  readonly text: string;
  /** Default: `Remove`. */
  readonly act?: string;
  readonly busy: boolean;
  readonly onRemove: () => void;
}

/** Button that removes a card's settings after confirmation. */
export function RemoveButton({ question, text, act = t('Remove'), busy, onRemove }: RemoveButtonProps) {
  const ask = async () => {
    if (await confirm({ title: question, text, act, danger: true })) onRemove();
  };
  return (
    <Button look="quiet" icon="trash" disabled={busy} onClick={() => void ask()}>
      {act}
    </Button>
  );
}
