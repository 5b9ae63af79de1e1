/**
 * What no source of the product does, and where the few exceptions are. Each has an example of what it forbids, so that the test
 * can show that it would be found.
 */

export interface SourcePromise {
  what: string;
  forbidden: RegExp;
  example: string;
  /** Only these sources; all of them where it is absent. */
  inFiles?: RegExp;
  /** Files that may, each with the reason. */
  except?: Record<string, string>;
}

const server = 'packages/server/src';
const web = 'packages/web/src';
const inPages = /^packages\/web\//;
const inSql = /\.sql$/;

export const promises: SourcePromise[] = [
  {
    what: 'no text becomes code',
    forbidden: /\beval\(|\bnew Function\(|['"](?:node:)?vm['"]|set(?:Timeout|Interval)\(\s*['"`]/,
    example: "import vm from 'node:vm';",
  },
  {
    what: 'no statement is put together of text',
    forbidden: /\bsql\.raw\(|\.query\(\s*`[^`]*\$\{|\.query\(\s*\w+\s*\+|\bexecute (?!format\(|function|procedure)/i,
    example: 'client.query(`select ${name}`);',
    inFiles: /^packages\/server\/src\/.*\.ts$/,
    except: {
      [`${server}/database/connection.ts`]: 'a constant that sets the time a statement may take',
      [`${server}/database/stream.ts`]: 'a statement that was built with parameters, and a number of rows',
      [`${server}/jobs/wake.ts`]: 'the name of a channel, which is ours',
      [`${server}/database/migrate.ts`]:
        'the migrations themselves, and the name of a role that the database has quoted',
    },
  },
  {
    what: 'no regular expression is made of what somebody sent',
    forbidden: /\bnew RegExp\(|\bRegExp\(/,
    example: 'new RegExp(label)',
    except: {
      [`${server}/redact.ts`]: 'forms that stand in it',
      [`${server}/http/mount.ts`]: 'paths of the table of operations',
      [`${server}/validation/formats.ts`]: 'parts that stand beside it',
      [`${server}/routes/references.ts`]: 'names of collections, which are ours',
    },
  },
  {
    what: 'no program is started by a shell',
    forbidden: /shell: (?!false)|\bexec(?:Sync)?\(\s*['"`]/,
    example: 'spawn(name, { shell: true })',
  },
  {
    what: 'no words of others are a format',
    forbidden: /import \{[^}]*\bformat\b[^}]*\} from 'node:util'|\blog\.\w+\(\s*`/,
    example: 'log.info(`${label} moved`)',
  },
  {
    what: 'no memory is used before it is filled, and no native code is ours',
    forbidden: /\ballocUnsafe|\bnew Buffer\(|\bWebAssembly\b|\.node['"]/,
    example: 'Buffer.allocUnsafe(9)',
  },
  {
    what: 'no text is put into a page as HTML',
    forbidden: /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write/i,
    example: 'node.innerHTML = label',
    inFiles: inPages,
  },
  {
    what: 'no page hears messages of other windows, only of its own origin',
    forbidden: /(?<!channel)\.addEventListener\('message'|\.onmessage\b/,
    example: "window.addEventListener('message', hear)",
    inFiles: inPages,
  },
  {
    what: 'no page needs a plug-in',
    forbidden: /<(?:object|embed|applet)\b|application\/x-(?:shockwave|silverlight|java)/i,
    example: '<embed src="x.swf">',
    inFiles: inPages,
  },
  {
    what: 'nobody is sent elsewhere but to places that are ours or configured',
    forbidden: /\.redirect\(|header\('location'|location\.(?:assign|replace)\(|location\.href\s*=[^=]|window\.open\(/,
    example: 'window.location.assign(next)',
    except: {
      [`${web}/frame/use-commands.ts`]: 'the reference of the interface, on this server',
      [`${server}/routes/single-sign-on.ts`]: 'the provider of the settings, and pages of ours',
    },
  },
  {
    what: 'no cryptography but that of Node and of one library for passwords',
    forbidden:
      /from '(?!node:crypto'|@node-rs\/argon2')(?:crypto|[^'.]*(?:bcrypt|scrypt|argon|crypto|jsrsa|forge|sjcl|elliptic|tweetnacl|noble)[^']*)'/,
    example: "import md5 from 'crypto-js';",
  },
  {
    what: 'no hash is shorter or weaker than SHA-256',
    forbidden: /createH(?:ash|mac)\((?!'sha256')|\bhash\('(?:md5|sha1)|subtle\.digest\('?(?!SHA-(?:256|384|512))/,
    example: "createHash('md5')",
  },
  {
    what: 'no hash of the database is shorter or weaker either',
    forbidden: /\bmd5\(|\bsha224\(|digest\([^)]*'(?:md5|sha1)'/i,
    example: 'select md5(label)',
    inFiles: inSql,
  },
  {
    what: 'nothing is enciphered here, so in no weak way',
    forbidden: /create(?:De)?[Cc]ipher|(?:public|private)(?:En|De)crypt|subtle\.(?:en|de)crypt|pgp_sym_/,
    example: "createCipheriv('aes-128-ecb', key, null)",
  },
  {
    what: 'keys are of the curve Ed25519 alone',
    forbidden: /generateKeyPair(?:Sync)?\((?!'ed25519')|create(?:ECDH|DiffieHellman)|createSign\(/,
    example: "generateKeyPairSync('rsa')",
  },
  {
    what: 'what must not be guessed is of 128 random bits or more',
    forbidden: /randomBytes\((?:[0-9]|1[0-5])\)|pseudoRandomBytes|\bMath\.random\b/,
    example: 'randomBytes(8)',
    except: {
      [`${server}/engine/executions/end-run.ts`]: 'how long to wait',
      [`${server}/engine/executions/sweep.ts`]: 'an order of work',
      [`${server}/engine/executions/reconcile.ts`]: 'how long to wait',
      [`${server}/engine/people/enter-by-identity.ts`]: 'a name that nobody has yet',
      [`${server}/engine/settle.ts`]: 'how long to wait',
      [`${server}/work/repeat.ts`]: 'how long to wait',
      [`${web}/live/follow-events.ts`]: 'how long to wait',
      [`${server}/demo/arrivals.ts`]: 'what happens in the demo',
      [`${server}/demo/rater.ts`]: 'what happens in the demo',
    },
  },
  {
    what: 'the log goes to standard output and nowhere else',
    forbidden: /\bpino\(|pino\.(?:transport|destination|multistream)|createWriteStream\(|appendFile/,
    example: "pino.transport({ target: 'pino/file' })",
    inFiles: /^packages\/server\/src\/.*\.ts$/,
    except: { [`${server}/http/log.ts`]: 'the log itself, which is given its place by tests alone' },
  },
  {
    what: 'a browser keeps nothing but how things are shown',
    forbidden: /localStorage|sessionStorage|indexedDB|document\.cookie/i,
    example: "localStorage.setItem('label', label)",
    inFiles: inPages,
    except: {
      [`${web}/theme/color-scheme.ts`]: 'light or dark',
      [`${web}/shown/time-display.ts`]: 'how times are written',
      [`${web}/table/column-choice.tsx`]: 'which columns are shown',
    },
  },
];

/** Comments say what is not done, too. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/^\s*(?:\/\/|\/\*|\*|--).*$/gm, '').replaceAll(/ \/\/ .*$/gm, '');

export const breaks = ({ forbidden, inFiles }: SourcePromise, file: string, text: string): boolean =>
  (inFiles?.test(file) ?? true) && forbidden.test(withoutComments(text));
