// Customer portal: a branded bar and a single column.
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Bones } from '../kit/components/parts.tsx';
import { queries } from '../kit/request/client.ts';
import { place } from '../kit/shell/place.ts';
import { SessionProvider } from '../kit/shell/session.tsx';
import { beginShell } from '../kit/shell/shell.ts';
import { Portal } from './portal.tsx';
import { SignIn } from './sign-in.tsx';

const signsIn = location.pathname.startsWith('/helpdesk/sign-in');

createRoot(beginShell()).render(
  <QueryClientProvider client={queries}>
    <Router base={place.base}>
      {signsIn ? (
        <SignIn />
      ) : (
        <SessionProvider waiting={<Bones rows={10} />}>
          <Portal />
        </SessionProvider>
      )}
    </Router>
  </QueryClientProvider>,
);
