import resets from './admin/second-factors.ts';
import oauth from './oauth.ts';
import factorPages from './second-factor-pages.ts';
import ownFactor from './second-factor.ts';

// Routes of second factors and identity providers.
export default [...oauth, ...ownFactor, ...resets, ...factorPages];
