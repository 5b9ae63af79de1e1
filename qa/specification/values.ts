/** Valid values for request fields. */

let count = 0;

/** A text that no other request sends. */
export const unique = (text: string): string => `${text}-${++count}`;

/** Labels in all forms that a client can use. */
export const labels = [
  () => unique('MC'),
  () => unique('with spaces, commas & (brackets)'),
  () => unique('a/b'),
  () => unique('Größe 日本 🧠'),
  () => unique('100%25+?#'),
  () => String(7_000_000_000 + ++count),
  () => String(++count).padStart(6, '0'),
  () => `${++count}/2/`,
  () => unique('').padStart(255, 'x'),
];

export const texts = ['', 'One line', 'Two\nlines', 'Größe 日本 🧠 "quoted" \\ <b>', 'x'.repeat(10_000)];

export const externalIds = ['XNAT_E00017', '0017', 'a/b?c=d&e#f', 'Größe 日本 🧠', 'x'.repeat(1024)];

export const urls = ['https://xnat.example.org/data/projects/MC', 'http://localhost:8080/?a=b#c', 'file:///archive/mc'];

export const passwords = ['correct horse battery', 'ein ganz langes Paßwort', ' 日本語のパスワードです、長い'];

export const counts = [0, 1, 59];
