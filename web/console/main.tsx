// Staff console: navigation, main content area, command palette and toasts.
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Bones } from '../kit/components/parts.tsx';
import { queries } from '../kit/request/client.ts';
import { place } from '../kit/shell/place.ts';
import { SessionProvider } from '../kit/shell/session.tsx';
import { beginShell } from '../kit/shell/shell.ts';
import { Console } from './console.tsx';

createRoot(beginShell()).render(
  <QueryClientProvider client={queries}>
    <Router base={place.base}>
      <SessionProvider waiting={<Bones rows={10} />}>
        <Console />
      </SessionProvider>
    </Router>
  </QueryClientProvider>,
);
