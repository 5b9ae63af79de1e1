/** Whether a host in the settings is a loopback address. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
