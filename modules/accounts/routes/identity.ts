import resets from './admin/second-factors.ts';
import oauth from './oauth.ts';
import ownFactor from './second-factor.ts';
import factorPages from './second-factor-pages.ts';

// Routes of second factors and identity providers.
export default [...oauth, ...ownFactor, ...resets, ...factorPages];
