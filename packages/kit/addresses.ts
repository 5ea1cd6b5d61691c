// Addresses of several servers in one URL, as database drivers write them: `mysql://user:password@a:3306,b:3306/keelson`.

/** Returns one URL for each host of `url`, in the given order. */
export function addressesOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
}
