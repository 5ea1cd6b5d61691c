// Secret shown once; the server never returns it again.
import { copy } from '../copy.ts';
import { t } from '../shell/words.ts';
import { Button, Note } from './parts.tsx';

export function Secret({ title, children }: { title: string; children: string }) {
  return (
    <Note tone="warn" icon="key" title={title}>
      <p>{t('Copy it now: it will not be shown again.')}</p>
      <p className="secret">
        <code>{children}</code>
        <Button size="small" icon="copy" onClick={() => copy(children)}>
          {t('Copy')}
        </Button>
      </p>
    </Note>
  );
}
