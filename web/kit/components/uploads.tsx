// Files of forms: those that are uploaded as soon as they are chosen, and those that stay in the form because they were
// refused or because they are uploaded after it is sent.
import { useRef, useState } from 'react';
import { useShown } from '../shown.ts';
import { ChosenFiles, sendFiles, type Sent } from './files.tsx';
import { toastError } from './toast.tsx';

/** A file that is not stored. */
export interface KeptFile {
  readonly file: File;
  /** Why it was refused. */
  readonly reason?: string;
}

/** Uploads files one by one, so that a refused one does not take the others with it. Returns those that were refused. */
export async function sendEach(operation: string, { files, ...sent }: Sent): Promise<readonly KeptFile[]> {
  const refused: KeptFile[] = [];
  for (const file of files) {
    const failed = ({ message }: Error) => void refused.push({ file, reason: `${file.name}: ${message}` });
    await sendFiles(operation, { ...sent, files: [file], failed });
  }
  return refused;
}

interface HeldFiles {
  readonly kept: readonly KeptFile[];
  /** Adds files; if the form is gone, the reasons of refused ones are shown in toasts. */
  readonly add: (more: readonly KeptFile[]) => void;
  readonly change: (files: readonly File[]) => void;
  /** Returns the files and empties the list. */
  readonly take: () => readonly File[];
  /** Files that were added since the form was drawn count, too. */
  readonly isEmpty: () => boolean;
}

/** Files that stay in a form. */
export function useHeldFiles(): HeldFiles {
  const [kept, setKept] = useState<readonly KeptFile[]>([]);
  const now = useRef(kept);
  const shown = useShown();
  const set = (next: readonly KeptFile[]) => {
    now.current = next;
    setKept(next);
  };
  return {
    kept,
    add(more) {
      set([...now.current, ...more]);
      for (const { reason } of more) if (reason && !shown.current) toastError(new Error(reason));
    },
    change: (files) => set(now.current.filter(({ file }) => files.includes(file))),
    take() {
      const files = now.current.map(({ file }) => file);
      set([]);
      return files;
    },
    isEmpty: () => now.current.length === 0,
  };
}

interface Uploads extends Pick<HeldFiles, 'kept' | 'change'> {
  readonly add: (files: readonly File[]) => void;
  /** Uploads what was refused again. Undefined if there are no files to wait for; false if one is refused. */
  readonly settle: () => Promise<boolean> | undefined;
}

/** Uploads the files of a form, which is sent after them. Refused ones stay in the form. */
export function useUploads(upload: (files: readonly File[]) => Promise<readonly KeptFile[]>): Uploads {
  const refused = useHeldFiles();
  const pending = useRef<Promise<void>>(undefined);
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    const all = Promise.all([upload(files).then(refused.add), pending.current]).then(() => {
      if (pending.current === all) pending.current = undefined;
    });
    pending.current = all;
  };
  const settle = () => {
    add(refused.take());
    return pending.current?.then(refused.isEmpty);
  };
  return { kept: refused.kept, change: refused.change, add, settle };
}

/** The files that stay in a form, with the reasons; each can be removed. */
export function KeptFiles({ of: { kept, change } }: { of: Pick<HeldFiles, 'kept' | 'change'> }) {
  return (
    <>
      <ChosenFiles files={kept.map(({ file }) => file)} onChange={change} />
      {kept.map(
        ({ reason }, index) =>
          reason && (
            <p key={index} className="field-error" role="alert">
              {reason}
            </p>
          ),
      )}
    </>
  );
}
