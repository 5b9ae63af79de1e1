/** Promises about the source code, with their exceptions. The example shows that the pattern of a promise finds what it forbids. */

export interface SourcePromise {
  what: string;
  forbidden: RegExp;
  example: string;
  /** The sources it applies to. Default: all. */
  inFiles?: RegExp;
  /** Files that break it, each with the reason. */
  except?: Record<string, string>;
}

const server = 'packages/server/src';
const web = 'packages/web/src';
const inPages = /^packages\/web\//;
const inSql = /\.sql$/;

export const promises: SourcePromise[] = [
  {
    what: 'never evaluates text as code',
    forbidden: /\beval\(|\bnew Function\(|['"](?:node:)?vm['"]|set(?:Timeout|Interval)\(\s*['"`]/,
    example: "import vm from 'node:vm';",
  },
  {
    what: 'never builds a statement from text',
    forbidden: /\bsql\.raw\(|\.query\(\s*`[^`]*\$\{|\.query\(\s*\w+\s*\+|\bexecute (?!format\(|function|procedure)/i,
    example: 'client.query(`select ${name}`);',
    inFiles: /^packages\/server\/src\/.*\.ts$/,
    except: {
      [`${server}/database/connection.ts`]: 'a constant: the statement timeout',
      [`${server}/jobs/wake.ts`]: 'a constant: the name of a channel',
      [`${server}/database/queue-schema.ts`]: 'constants: the columns of an index, and the name of the schema',
      [`${server}/database/search-text.ts`]: 'constants, and the schema of an extension, quoted',
      [`${server}/database/migrate.ts`]: 'the migrations, and a role name that the database has quoted',
    },
  },
  {
    what: 'never builds a regular expression from input',
    forbidden: /\bnew RegExp\(|\bRegExp\(/,
    example: 'new RegExp(label)',
    except: {
      [`${server}/causes/find-cause.ts`]: 'patterns in the same file',
      [`${server}/causes/group-cause.ts`]: 'patterns in the same file',
      [`${server}/redact.ts`]: 'patterns in the same file',
      [`${server}/functions/sent-secrets.ts`]: 'patterns in the same file',
      [`${server}/http/mount.ts`]: 'paths of the operation table',
      'packages/api/src/validation/formats.ts': 'patterns in the same file',
    },
  },
  {
    what: 'never starts a program through a shell',
    forbidden: /shell: (?!false)|\bexec(?:Sync)?\(\s*['"`]/,
    example: 'spawn(name, { shell: true })',
  },
  {
    what: 'never uses input as a format string',
    forbidden: /import \{[^}]*\bformat\b[^}]*\} from 'node:util'|\blog\.\w+\(\s*`/,
    example: 'log.info(`${label} moved`)',
  },
  {
    what: 'uses no uninitialised memory and no native code of its own',
    forbidden: /\ballocUnsafe|\bnew Buffer\(|\bWebAssembly\b|\.node['"]/,
    example: 'Buffer.allocUnsafe(9)',
  },
  {
    what: 'never puts text into a page as HTML',
    forbidden: /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write/i,
    example: 'node.innerHTML = label',
    inFiles: inPages,
  },
  {
    what: 'never listens to messages from other windows',
    forbidden: /(?<!channel)\.addEventListener\('message'|\.onmessage\b/,
    example: "window.addEventListener('message', hear)",
    inFiles: inPages,
  },
  {
    what: 'needs no browser plug-in',
    forbidden: /<(?:object|embed|applet)\b|application\/x-(?:shockwave|silverlight|java)/i,
    example: '<embed src="x.swf">',
    inFiles: inPages,
  },
  {
    what: 'redirects only to its own pages and configured addresses',
    forbidden: /\.redirect\(|header\('location'|location\.(?:assign|replace)\(|location\.href\s*=[^=]|window\.open\(/,
    example: 'window.location.assign(next)',
    except: {
      [`${web}/frame/use-commands.ts`]: 'the API reference on this server',
      [`${server}/routes/people/single-sign-on.ts`]: 'the configured provider, and its own pages',
    },
  },
  {
    what: 'uses only the cryptography of Node and one password hash',
    forbidden:
      /from '(?!node:crypto'|@node-rs\/argon2')(?:crypto|[^'.]*(?:bcrypt|scrypt|argon|crypto|jsrsa|forge|sjcl|elliptic|tweetnacl|noble)[^']*)'/,
    example: "import md5 from 'crypto-js';",
  },
  {
    what: 'uses no hash weaker than SHA-256',
    forbidden: /createH(?:ash|mac)\((?!'sha256')|\bhash\('(?:md5|sha1)|subtle\.digest\('?(?!SHA-(?:256|384|512))/,
    example: "createHash('md5')",
  },
  {
    what: 'uses no hash weaker than SHA-256 in SQL',
    forbidden: /\bmd5\(|\bsha224\(|digest\([^)]*'(?:md5|sha1)'/i,
    example: 'select md5(label)',
    inFiles: inSql,
  },
  {
    what: 'encrypts nothing itself',
    forbidden: /create(?:De)?[Cc]ipher|(?:public|private)(?:En|De)crypt|subtle\.(?:en|de)crypt|pgp_sym_/,
    example: "createCipheriv('aes-128-ecb', key, null)",
  },
  {
    what: 'creates only Ed25519 keys',
    forbidden: /generateKeyPair(?:Sync)?\((?!'ed25519')|create(?:ECDH|DiffieHellman)|createSign\(/,
    example: "generateKeyPairSync('rsa')",
  },
  {
    what: 'creates secrets with at least 128 random bits',
    forbidden: /randomBytes\((?:[0-9]|1[0-5])\)|pseudoRandomBytes|\bMath\.random\b/,
    example: 'randomBytes(8)',
    except: {
      [`${server}/engine/runs/end-run.ts`]: 'random delay',
      [`${server}/engine/runs/sweep-executions.ts`]: 'random order',
      [`${server}/engine/runs/recover-lost-work.ts`]: 'random delay',
      [`${server}/engine/people/sign-in-with-identity.ts`]: 'an unused username',
      [`${server}/database/retry-on-conflict.ts`]: 'random delay',
      [`${server}/work/repeat.ts`]: 'random delay',
      [`${web}/live/follow-events.ts`]: 'random delay',
      [`${server}/demo/arrivals.ts`]: 'demo data',
      [`${server}/demo/rater.ts`]: 'demo data',
    },
  },
  {
    what: 'writes its log to standard output only',
    forbidden: /\bpino\(|pino\.(?:transport|destination|multistream)|createWriteStream\(|appendFile/,
    example: "pino.transport({ target: 'pino/file' })",
    inFiles: /^packages\/server\/src\/.*\.ts$/,
    except: { [`${server}/http/log.ts`]: 'the log; only tests choose another destination' },
  },
  {
    what: 'stores only display preferences in the browser',
    forbidden: /localStorage|sessionStorage|indexedDB|document\.cookie/i,
    example: "localStorage.setItem('label', label)",
    inFiles: inPages,
    except: {
      [`${web}/theme/theme.ts`]: 'light or dark',
      [`${web}/ui/time-display.ts`]: 'time format',
      [`${web}/pages/experiments/use-search.ts`]: 'visible columns',
    },
  },
];

/** Comments may mention what is forbidden. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/^\s*(?:\/\/|\/\*|\*|--).*$/gm, '').replaceAll(/ \/\/ .*$/gm, '');

export const breaks = ({ forbidden, inFiles }: SourcePromise, file: string, text: string): boolean =>
  (inFiles?.test(file) ?? true) && forbidden.test(withoutComments(text));
