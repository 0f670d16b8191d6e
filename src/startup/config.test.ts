import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MillraceError } from '../errors.ts'
import { type Config, readConfig } from './config.ts'

type Env = Readonly<Record<string, string | undefined>>

const FILES: Readonly<Record<string, string>> = {
  '/run/secrets/key': 'a-key-from-a-file-1\n',
  '/run/secrets/short': 'short\n',
  '/run/secrets/db': 'postgres://localhost/db\n'
}

function read(env: Env): Config {
  return readConfig(env, (path) => {
    const text = FILES[path]
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`)
    return text
  })
}

/** The one line that a bad environment stops the start with. */
function refusal(env: Env): string {
  try {
    read(env)
  } catch (error) {
    assert.ok(error instanceof MillraceError)
    assert.equal(error.code, 'config_invalid')
    assert.doesNotMatch(error.message, /\n/)
    return error.message
  }
  return assert.fail('it was taken')
}

describe('an empty environment', () => {
  it('gives the defaults of the contract', () => {
    assert.deepEqual(read({}), {
      role: 'all',
      database: null,
      host: '127.0.0.1',
      port: 7860,
      home: '.millrace',
      trustProxy: null,
      publicUrl: null,
      allowedHosts: [],
      apiKey: null,
      secretKey: null,
      egressAllow: [],
      plugins: [],
      flowsFolder: null,
      bodyLimit: 1024 * 1024,
      fileLimit: 25 * 1024 * 1024,
      files: null,
      backlogLimit: 100_000,
      concurrency: 256,
      inFlight: 15_000,
      hangLimitMs: 8_000,
      outputLimits: { step: 16 * 1024 ** 2, run: 64 * 1024 ** 2 },
      logLevel: 'info',
      retention: { maxAgeMs: 30 * 86_400_000, maxRuns: 2_000_000 }
    })
  })

  it('is one whose variables are all empty, as compose files leave them', () => {
    const names = [
      'HOST',
      'PORT',
      'DATABASE_URL',
      'LOG_LEVEL',
      'MILLRACE_HOME',
      'MILLRACE_ROLE',
      'MILLRACE_API_KEY'
    ]
    const more = [
      'MILLRACE_API_KEY_FILE',
      'MILLRACE_PLUGINS',
      'MILLRACE_TRUST_PROXY',
      'MILLRACE_BODY_LIMIT',
      'MILLRACE_BACKLOG_LIMIT'
    ]
    const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']))
    assert.deepEqual(read(empty), read({}))
  })

  it('may hold variables of others', () => assert.deepEqual(read({ PATH: '/bin', millrace: 'x' }), read({})))
})

describe('each variable', () => {
  const rows: [env: Env, expected: Partial<Config>][] = [
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ PORT: '8080' }, { port: 8080 }],
    [{ PORT: '0' }, { port: 0 }],
    [
      { MILLRACE_STEP_OUTPUT_LIMIT: '1mb', MILLRACE_RUN_OUTPUT_LIMIT: '2mb' },
      { outputLimits: { step: 1024 ** 2, run: 2 * 1024 ** 2 } }
    ],
    [{ MILLRACE_TRUST_PROXY: '10.0.0.0/8, loopback' }, { trustProxy: '10.0.0.0/8, loopback' }],
    [{ MILLRACE_TRUST_PROXY: '1' }, { trustProxy: '1' }],
    [{ MILLRACE_PUBLIC_URL: 'https://flows.example.com/' }, { publicUrl: 'https://flows.example.com' }],
    [{ MILLRACE_PUBLIC_URL: 'http://mill:7860' }, { publicUrl: 'http://mill:7860' }],
    [{ MILLRACE_PUBLIC_URL: 'https://example.com/a/flows/' }, { publicUrl: 'https://example.com/a/flows' }],
    [{ MILLRACE_ALLOWED_HOSTS: 'mill, *.internal' }, { allowedHosts: ['mill', '*.internal'] }],
    [{ MILLRACE_ALLOWED_HOSTS: '*' }, { allowedHosts: ['*'] }],
    [{ MILLRACE_HANG_LIMIT: '30' }, { hangLimitMs: 30_000 }],
    [{ MILLRACE_HANG_LIMIT: '0' }, { hangLimitMs: null }],
    [{ MILLRACE_HOME: '/var/millrace' }, { home: '/var/millrace' }],
    [{ MILLRACE_ROLE: 'all' }, {}],
    [{ DATABASE_URL: 'postgres://db/m' }, { database: { url: 'postgres://db/m', connections: 10 } }],
    [
      { DATABASE_URL_FILE: '/run/secrets/db', MILLRACE_DATABASE_CONNECTIONS: '4' },
      { database: { url: 'postgres://localhost/db', connections: 4 } }
    ],
    [
      { DATABASE_URL: 'postgresql://db/m', MILLRACE_ROLE: 'web' },
      { role: 'web', database: { url: 'postgresql://db/m', connections: 10 } }
    ],
    [
      { DATABASE_URL: 'postgres://db/m', MILLRACE_ROLE: 'worker' },
      { role: 'worker', port: 0, database: { url: 'postgres://db/m', connections: 10 } }
    ],
    [
      { DATABASE_URL: 'postgres://db/m', MILLRACE_ROLE: 'worker', PORT: '7861' },
      { role: 'worker', port: 7861, database: { url: 'postgres://db/m', connections: 10 } }
    ],
    [{ MILLRACE_API_KEY: '0123456789abcdef' }, { apiKey: '0123456789abcdef' }],
    [{ MILLRACE_API_KEY: 'a pass phrase ~!"$' }, { apiKey: 'a pass phrase ~!"$' }],
    [{ MILLRACE_PLUGINS: './a.ts, b ,,@c/d' }, { plugins: ['./a.ts', 'b', '@c/d'] }],
    [{ MILLRACE_BODY_LIMIT: '512kb' }, { bodyLimit: 512 * 1024 }],
    [{ MILLRACE_BODY_LIMIT: '1.5MB' }, { bodyLimit: 1.5 * 1024 * 1024 }],
    [{ MILLRACE_BODY_LIMIT: '1048576' }, { bodyLimit: 1_048_576 }],
    [{ MILLRACE_BODY_LIMIT: '100 b' }, { bodyLimit: 100 }],
    [{ MILLRACE_BODY_LIMIT: '1gb' }, { bodyLimit: 1024 ** 3 }],
    [{ MILLRACE_FILE_LIMIT: '100mb' }, { fileLimit: 100 * 1024 ** 2 }],
    [{ MILLRACE_FILES: ' ' }, { files: null }],
    [
      { MILLRACE_FILES: 's3://mill', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY_FILE: '/run/secrets/key' },
      {
        files: {
          url: 's3://mill',
          accessKeyId: 'a',
          secretAccessKey: 'a-key-from-a-file-1',
          sessionToken: null
        }
      }
    ],
    [{ MILLRACE_BACKLOG_LIMIT: '5' }, { backlogLimit: 5 }],
    [{ MILLRACE_CONCURRENCY: '4' }, { concurrency: 4 }],
    [{ MILLRACE_IN_FLIGHT: '500' }, { inFlight: 500 }],
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [
      { MILLRACE_RETENTION_DAYS: '1', MILLRACE_RETENTION_RUNS: '9' },
      { retention: { maxAgeMs: 86_400_000, maxRuns: 9 } }
    ],
    [
      { MILLRACE_RETENTION_DAYS: '0', MILLRACE_RETENTION_RUNS: '0' },
      { retention: { maxAgeMs: null, maxRuns: null } }
    ]
  ]
  for (const [env, expected] of rows) {
    it(`is read: ${JSON.stringify(env)}`, () => assert.deepEqual(read(env), { ...read({}), ...expected }))
  }
})

describe('a secret', () => {
  it('may be given as a file', () => {
    assert.equal(read({ MILLRACE_API_KEY_FILE: '/run/secrets/key' }).apiKey, 'a-key-from-a-file-1')
  })

  it('is given once', () => {
    const message = refusal({
      MILLRACE_API_KEY: '0123456789abcdef',
      MILLRACE_API_KEY_FILE: '/run/secrets/key'
    })
    assert.match(message, /MILLRACE_API_KEY and MILLRACE_API_KEY_FILE are both set\. Unset one/)
  })

  it('names the file that cannot be read', () => {
    assert.match(
      refusal({ MILLRACE_API_KEY_FILE: '/none' }),
      /^MILLRACE_API_KEY_FILE .* cannot be read: .*\/none/
    )
  })

  it('is never shown', () => {
    for (const env of [{ MILLRACE_API_KEY: 'short' }, { MILLRACE_API_KEY_FILE: '/run/secrets/short' }]) {
      const message = refusal(env)
      assert.match(message, /^MILLRACE_API_KEY has 5 characters\. Use at least 16/)
      assert.doesNotMatch(message, /short/)
    }
    assert.doesNotMatch(refusal({ DATABASE_URL: 'mysql://user:hush@host/db' }), /hush/)
  })
})

describe('a bad value', () => {
  const rows: [env: Env, message: RegExp][] = [
    [{ MILLRACE_API_KEY: ' 0123456789abcdef' }, /^MILLRACE_API_KEY holds what cannot be sent/],
    [{ MILLRACE_API_KEY: '0123456789abcdef\n' }, /^MILLRACE_API_KEY holds what cannot be sent/],
    [{ MILLRACE_API_KEY: '01234567\n89abcdef' }, /^MILLRACE_API_KEY holds what cannot be sent/],
    [{ MILLRACE_API_KEY: 'schlüssel-0123456' }, /Use ASCII letters, digits and punctuation/],
    [{ PORT: '70000' }, /^PORT is "70000"\. Write a whole number from 0 to 65535, for example 7860\.$/],
    [{ PORT: '-1' }, /^PORT is "-1"/],
    [{ PORT: '80.5' }, /^PORT is "80\.5"/],
    [{ PORT: '0x50' }, /^PORT/],
    [{ PORT: '80\n90' }, /^PORT is "80\\n90"/],
    [{ MILLRACE_BACKLOG_LIMIT: '0' }, /^MILLRACE_BACKLOG_LIMIT is "0"\. Write a whole number of 1 or more/],
    [{ MILLRACE_BACKLOG_LIMIT: '99999999999999999999' }, /^MILLRACE_BACKLOG_LIMIT/],
    [{ MILLRACE_CONCURRENCY: 'many' }, /^MILLRACE_CONCURRENCY is "many"/],
    [{ MILLRACE_RETENTION_DAYS: '-3' }, /^MILLRACE_RETENTION_DAYS/],
    [{ MILLRACE_RETENTION_DAYS: '999999999999' }, /^MILLRACE_RETENTION_DAYS .* from 0 to 1000000/],
    [
      { MILLRACE_BODY_LIMIT: '1tb' },
      /^MILLRACE_BODY_LIMIT is "1tb"\. Write a size up to 1gb, for example 512kb/
    ],
    [{ MILLRACE_BODY_LIMIT: '2gb' }, /^MILLRACE_BODY_LIMIT/],
    [{ MILLRACE_FILE_LIMIT: '2gb' }, /^MILLRACE_FILE_LIMIT is "2gb"/],
    [{ MILLRACE_FILES: '/var/files' }, /^MILLRACE_FILES cannot be used: .* s3:\/\/bucket/],
    [{ MILLRACE_FILES: 's3://mill' }, /^MILLRACE_FILES needs the key .* Set AWS_ACCESS_KEY_ID/],
    [
      { MILLRACE_FILES: 's3://mill', AWS_ACCESS_KEY_ID: 'a' },
      /AWS_SECRET_ACCESS_KEY, or AWS_SECRET_ACCESS_KEY_FILE\.$/
    ],
    [
      { MILLRACE_TRUST_PROXY: 'true' },
      /^MILLRACE_TRUST_PROXY is "true"\. Write the addresses of your proxies, .* for example 1\.$/
    ],
    [{ MILLRACE_TRUST_PROXY: 'proxy.example.com' }, /^MILLRACE_TRUST_PROXY/],
    [
      { MILLRACE_PUBLIC_URL: 'flows.example.com' },
      /^MILLRACE_PUBLIC_URL is "flows\.example\.com"\. Write the address that people use, for example https:/
    ],
    [{ MILLRACE_PUBLIC_URL: 'https://example.com/flows?x=1' }, /^MILLRACE_PUBLIC_URL/],
    [{ MILLRACE_PUBLIC_URL: 'https://user@example.com/flows' }, /^MILLRACE_PUBLIC_URL/],
    [{ MILLRACE_PUBLIC_URL: 'https://example.com/a//b' }, /^MILLRACE_PUBLIC_URL/],
    [{ MILLRACE_PUBLIC_URL: 'https://example.com/api/flows' }, /own below \/api\. Choose another path/],
    [{ MILLRACE_PUBLIC_URL: 'ftp://example.com' }, /^MILLRACE_PUBLIC_URL/],
    [
      { MILLRACE_ALLOWED_HOSTS: 'mill,https://example.com' },
      /^MILLRACE_ALLOWED_HOSTS names "https:\/\/example\.com"\. Write names without scheme and port/
    ],
    [{ MILLRACE_ALLOWED_HOSTS: 'a.*.b' }, /^MILLRACE_ALLOWED_HOSTS/],
    [{ MILLRACE_BODY_LIMIT: '0' }, /^MILLRACE_BODY_LIMIT/],
    [{ MILLRACE_BODY_LIMIT: '0.5b' }, /^MILLRACE_BODY_LIMIT/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is "loud"\. Write one of trace, debug, info/],
    [{ MILLRACE_ROLE: 'boss' }, /^MILLRACE_ROLE is "boss"\. Write one of all, web, worker/],
    [{ MILLRACE_ROLE: 'web' }, /^MILLRACE_ROLE=web needs DATABASE_URL/],
    [{ MILLRACE_ROLE: 'worker' }, /^MILLRACE_ROLE=worker needs DATABASE_URL/],
    [{ DATABASE_URL: 'localhost/db' }, /^DATABASE_URL is not the address of a database\. Write postgres:/],
    [
      { MILLRACE_DATABASE_CONNECTIONS: '2' },
      /^MILLRACE_DATABASE_CONNECTIONS is "2"\. Write a whole number from 4/
    ],
    [
      { MILLRACE_BODYLIMIT: '1mb' },
      /^MILLRACE_BODYLIMIT is not a variable of Millrace\. Known are MILLRACE_HOME/
    ],
    [
      { MILLRACE_PORT: '80' },
      /^MILLRACE_PORT is not a variable of Millrace\. It is called PORT\. Known are MILLRACE_HOME/
    ],
    [{ MILLRACE_: '' }, /^MILLRACE_ is not a variable/]
  ]
  for (const [env, message] of rows) {
    it(`stops the start with one clear line: ${JSON.stringify(env)}`, () =>
      assert.match(refusal(env), message))
  }
})
