// Provider name and logo. Logos on other servers are not loaded because those servers would learn of the visit.
import { Link } from 'wouter';
import { Mark } from '../console/mark.tsx';
import { useAnswer } from '../kit/request/client.ts';
import { useSession } from '../kit/shell/session.tsx';

export function Brand() {
  const { tenant } = useSession();
  const { data } = useAnswer('GET /bootstrap');
  const logo = (data as { branding?: { logo_url?: string } } | undefined)?.branding?.logo_url ?? '';
  return (
    <Link href="/" className="brand">
      {/^\/(?!\/)/.test(logo) ? <img src={logo} alt="" className="brand-logo" /> : <Mark />}
      <span>{tenant.name}</span>
    </Link>
  );
}
