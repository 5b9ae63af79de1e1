/** The Python blocks of docs/how-to/study-governor-client.md as one script for a server. */

const address = 'http://127.0.0.1:8080';
const password = 'the-printed-password';

export function scriptOf(guide: string, server: { url: string; password: string }): string {
  const script = [...guide.matchAll(/^```python\n([^]+?)^```$/gm)].map(([, block = '']) => block).join('\n');
  for (const text of [address, password]) {
    if (!script.includes(text)) throw new Error(`The Python blocks of the guide do not contain ${text}.`);
  }
  return script.replaceAll(address, server.url).replaceAll(password, server.password);
}
