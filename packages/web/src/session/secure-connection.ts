/** A password must not travel where others can read it: over https, or not further than this machine. */
export const isSecure = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^(?:127(?:\.\d+){3}|\[::1\])$/.test(hostname);
