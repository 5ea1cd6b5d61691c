import resets from './admin/second-factors.ts';
import oauth from './oauth.ts';
import ownFactor from './second-factor.ts';
import factorPages from './second-factor-pages.ts';

// How people prove who they are, besides the password.
export default [...oauth, ...ownFactor, ...resets, ...factorPages];
