// File picker and drop zone of an import.
import { useState, type DragEvent } from 'react';
import { Icon } from '../components/icon.tsx';
import { rich } from '../components/rich.tsx';
import { fileSize } from '../format.ts';
import { t } from '../shell/words.ts';

interface ImportFileProps {
  readonly file: File | undefined;
  readonly busy: boolean;
  readonly onFile: (file: File) => void;
}

export function ImportFile({ file, busy, onFile }: ImportFileProps) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first && !busy) onFile(first);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      className="drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <span>
        {file ? (
          <>
            <b>{file.name}</b> <span className="tone-muted">{fileSize(file.size)}</span>
          </>
        ) : (
          rich('{choose} or drop it here', { choose: <b>{t('Choose a file')}</b> })
        )}
      </span>
      <small className="tone-muted">
        {t(
          'CSV or Excel (.xlsx) with a header row. Exports from Snipe-IT, GLPI, ITFlow, Microsoft 365, Google, Outlook and Halo work as they are.',
        )}
      </small>
      <input
        type="file"
        className="hidden"
        aria-label={t('File')}
        accept=".csv,.tsv,.txt,.xlsx"
        disabled={busy}
        onChange={(event) => {
          take(event.target.files);
          // Reset so that the same file can be selected again after a fix.
          event.target.value = '';
        }}
      />
    </label>
  );
}
