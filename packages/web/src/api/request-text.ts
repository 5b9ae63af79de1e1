/** A request as text that somebody can run elsewhere. It has no password in it: both ask for one. */
export interface RequestText {
  method: 'POST' | 'PUT';
  url: string;
  username: string;
  body: object;
}

/** One word for a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const curlText = ({ method, url, username, body }: RequestText): string =>
  [
    `curl --fail-with-body --request ${method} ${shellWord(url)}`,
    `--user ${shellWord(username)}`,
    `--header ${shellWord('content-type: application/json')}`,
    `--data ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');

/** What JSON writes as a string or an object of strings, Python reads as the same. */
const pythonValue = (value: unknown): string => JSON.stringify(value);

export const pythonText = ({ method, url, username, body }: RequestText): string =>
  [
    'import getpass',
    'import requests',
    '',
    'answer = requests.request(',
    `    ${pythonValue(method)},`,
    `    ${pythonValue(url)},`,
    `    auth=(${pythonValue(username)}, getpass.getpass()),`,
    `    json=${pythonValue(body)},`,
    ')',
    'answer.raise_for_status()',
    'print(answer.json())',
    '',
  ].join('\n');
