/** Whether nobody can read a password in transit: with https, or on this machine. */
export const isSecure = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^(?:127(?:\.\d+){3}|\[::1\])$/.test(hostname);
