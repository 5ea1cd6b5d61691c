export { createApiKey, keyPermissions, requireGrantable, revokeApiKey, type NewApiKey } from './api-key.ts';
export { backgroundDone } from './background.ts';
export { ApiKey, EmployeeSession, keyTypes, RefreshToken, TechnicianSession, type KeyType } from './entities.ts';
export { changePassword, newHash, setEmployeePassword, setTechnicianPassword } from './password.ts';
export { refreshSession } from './refresh.ts';
export { endSession, endSessions, openSession } from './session.ts';
export { setUpLink } from './set-up.ts';
export { signInEmployee, signInTechnician } from './sign-in.ts';
export { openTechnicianSession } from './technician-session.ts';
