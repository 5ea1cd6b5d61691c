// Staff console: navigation, main content area, command palette and toasts.
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queries } from '../kit/client.ts';
import { Bones } from '../kit/parts.tsx';
import { place } from '../kit/place.ts';
import { SessionProvider } from '../kit/session.tsx';
import { beginShell } from '../kit/shell.ts';
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
