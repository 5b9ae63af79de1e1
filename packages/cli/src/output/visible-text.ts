/** Text from a server, without sequences that a terminal would run. */
// oxlint-disable-next-line no-control-regex -- these are the characters to replace
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

export const visibleText = (text: string): string => text.replaceAll(controls, '\uFFFD');
export const visibleLine = (text: string): string => visibleText(text.replaceAll(/[\t\n]/g, ' '));
