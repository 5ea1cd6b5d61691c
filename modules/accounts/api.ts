export { TechnicianSignedOut } from './events.ts';
export { contextAs, type ActsFor } from './acting.ts';
export { newHash } from '@keelson/modules/directory';
export { createApiKey, revokeApiKey, type NewApiKey } from './keys/keys.ts';
export { frame } from './pages/pages.ts';
export { providerName } from './provider-name.ts';
export { backgroundDone } from './background.ts';
export {
  AccountLink,
  ApiKey,
  EmployeeSession,
  keyTypes,
  LinkedIdentity,
  RefreshToken,
  TechnicianSession,
  type KeyType,
} from './entities.ts';
export { changePassword, setEmployeePassword, setTechnicianPassword } from './passwords/password.ts';
export { keyPermissions } from './keys/key-kinds.ts';
export { refreshSession } from './sessions/refresh.ts';
export { beginFactor, enableFactor, removeFactor } from './factors/second-factor.ts';
export { endSession, endSessions, openSession } from './sessions/session.ts';
export { setUpLink } from './set-up.ts';
export { signInEmployee } from './sessions/sign-in.ts';
export { signInTechnician } from './sessions/technician-sign-in.ts';
export { openTechnicianSession } from './sessions/technician-session.ts';
export { wordingFor, type PageHttp } from './pages/visitor.ts';
export { domainOf } from './oauth/bounds.ts';
