/** A request as a curl command or a Python script. Both prompt for the password. */
export interface RequestText {
  method: 'POST' | 'PUT';
  url: string;
  username: string;
  body: object;
}

/** Quotes a text as one word for a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const curlText = ({ method, url, username, body }: RequestText): string =>
  [
    `curl --fail-with-body --request ${method} ${shellWord(url)}`,
    `--user ${shellWord(username)}`,
    `--header ${shellWord('content-type: application/json')}`,
    `--data ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');

/** Strings and objects of strings have the same notation in JSON and Python. */
const pythonValue = (value: unknown): string => JSON.stringify(value);

export const pythonText = ({ method, url, username, body }: RequestText): string =>
  [
    'import getpass',
    'import requests',
    '',
    'response = requests.request(',
    `    ${pythonValue(method)},`,
    `    ${pythonValue(url)},`,
    `    auth=(${pythonValue(username)}, getpass.getpass()),`,
    `    json=${pythonValue(body)},`,
    ')',
    'response.raise_for_status()',
    'print(response.json())',
    '',
  ].join('\n');
