// Secret shown once; the server never returns it again.
import { Button, Note } from './parts.tsx';
import { toast, toastError } from './toast.tsx';

export function Secret({ title, children }: { title: string; children: string }) {
  const copy = () => void navigator.clipboard.writeText(children).then(() => toast('Copied'), toastError);
  return (
    <Note tone="warn" icon="key" title={title}>
      <p>Copy it now: it will not be shown again.</p>
      <p className="secret">
        <code>{children}</code>
        <Button size="small" icon="copy" onClick={copy}>
          Copy
        </Button>
      </p>
    </Note>
  );
}
