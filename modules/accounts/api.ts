export { newHash } from '@keelson/modules/directory';
export { createApiKey, revokeApiKey, type NewApiKey } from './api-key.ts';
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
export { changePassword, setEmployeePassword, setTechnicianPassword } from './password.ts';
export { keyPermissions } from './key-kinds.ts';
export { refreshSession } from './refresh.ts';
export { beginFactor, enableFactor, removeFactor } from './second-factor.ts';
export { endSession, endSessions, openSession } from './session.ts';
export { setUpLink } from './set-up.ts';
export { signInEmployee } from './sign-in.ts';
export { signInTechnician } from './technician-sign-in.ts';
export { openTechnicianSession } from './technician-session.ts';
