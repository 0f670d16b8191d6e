import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyCommand } from '../commands/apply-command.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { type CurlFields, curlFields } from './curl-fields.ts'
import { curlSignIn } from './curl-sign-in.ts'
import { fillByCurl } from './fill-by-curl.ts'
import { readCurl } from './read-curl.ts'
import { shellWords } from './shell-words.ts'

describe('words of a command', () => {
  const rows: [command: string, words: string[]][] = [
    ['curl  a\tb', ['curl', 'a', 'b']],
    ['curl \'a b\' "c d"', ['curl', 'a b', 'c d']],
    ['curl a\\ b \\"c', ['curl', 'a b', '"c']],
    ['curl \\\n  -X \\\r\n POST', ['curl', '-X', 'POST']],
    ['curl "a\\"b\\\\c\\$d\\n" \'it\'"\'"\'s\'', ['curl', 'a"b\\c$d\\n', "it's"]],
    ["curl $'a\\nb\\'c\\x41\\u00e9\\101\\\\'", ['curl', "a\nb'cAéA\\"]],
    ["curl -H''x ''", ['curl', '-Hx', '']],
    ['curl a # more\n', ['curl', 'a']],
    ['curl a#b | jq .', ['curl', 'a#b']],
    ['curl a && rm b', ['curl', 'a']],
    ["curl 'x\n  y'", ['curl', 'x\n  y']],
    ['curl $HOME/*', ['curl', '$HOME/*']],
    ['curl a >b 2>&1 2>/dev/null >> "c d" e', ['curl', 'a', 'e']],
    ['curl <id>/1>2 < file', ['curl', '<id>/1>2']]
  ]
  for (const [command, words] of rows) {
    it(`are read from ${JSON.stringify(command)}`, () => assert.deepEqual(shellWords(command), { words }))
  }

  it('come with the text that the command is given to read', () => {
    const rows: [command: string, input: string][] = [
      ['curl -d @- <<EOF a | jq\n{"a":\n$b}\nEOF\nls', '{"a":\n$b}'],
      ["curl <<-'A B' -d @- a\n\t1\n\tA B", '1'],
      ['curl -d @- a <<< "1 2"', '1 2'],
      ['curl -d @- a <<EOF\n1', '1']
    ]
    for (const [command, input] of rows)
      assert.deepEqual(shellWords(command), { words: ['curl', '-d', '@-', 'a'], input }, command)
  })

  it('need their quotes closed', () => {
    for (const open of ["'a", '"a', "$'a"]) {
      assert.match(shellWords(`curl ${open}`).message ?? '', /is never closed/)
    }
  })
})

function read(command: string): CurlFields {
  const reading = readCurl(command)
  assert.ok(reading.message === undefined, reading.message)
  return curlFields(reading.request)
}

/** Without what is as it would be anyway. */
function fieldsOf(command: string): Record<string, unknown> {
  const { fields } = read(command)
  const byDefault: Record<string, unknown> = {
    method: 'GET',
    query: null,
    headers: null,
    body: null,
    body_type: 'Auto'
  }
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== byDefault[name]))
}

const url = 'https://shop.example/orders'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('a curl command', () => {
  const rows: [command: string, fields: Record<string, unknown>][] = [
    [`curl ${url}`, { url }],
    [`$ curl -sSL --compressed '${url}?a=1&b=x%20y&a=2'`, { url, query: { a: ['1', '2'], b: 'x y' } }],
    ['curl shop.example', { url: 'http://shop.example/' }],
    [`curl -X DELETE ${url}/7`, { url: `${url}/7`, method: 'DELETE' }],
    [`curl -XPOST ${url}`, { url, method: 'POST', body_type: 'None' }],
    [`curl -d '' ${url}`, { url, method: 'POST', body_type: 'None' }],
    [`curl -I ${url}`, { url, method: 'HEAD' }],
    [`curl ${url} -d a=1 -d 'b=x y'`, { url, method: 'POST', body: { a: '1', b: 'x y' }, body_type: 'Form' }],
    [
      `curl ${url} --data-urlencode 'q=a&b' --data-urlencode =c`,
      { url, method: 'POST', headers: FORM, body: 'q=a%26b&c', body_type: 'Text' }
    ],
    [
      `curl ${url} -d flag -d a=1`,
      { url, method: 'POST', headers: FORM, body: 'flag&a=1', body_type: 'Text' }
    ],
    [
      `curl ${url} -H 'Content-Type: text/plain' -d flag`,
      { url, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'flag', body_type: 'Text' }
    ],
    [`curl -G ${url}?x=1 --data-urlencode 'q=a b' -d n=2`, { url, query: { x: '1', q: 'a b', n: '2' } }],
    [
      `curl '${url}?x=1' --url-query 'q=a&b' --url-query +r=%31 --url-query s -d n=2`,
      { url, method: 'POST', query: { x: '1', q: 'a&b', r: '1', s: '' }, body: { n: '2' }, body_type: 'Form' }
    ],
    [
      `curl ${url} --json '{"a":{"b":[1,"{x}"]}}'`,
      { url, method: 'POST', body: { a: { b: [1, '{{x}}'] } }, body_type: 'JSON' }
    ],
    [
      `curl '${url}' -H 'content-type: application/json' --data-raw $'{"it\\'s":1.10}'`,
      { url, method: 'POST', body_type: 'JSON' }
    ],
    [
      `curl -X PUT ${url} -H 'Content-Type: text/csv' --data-binary 'a,b'`,
      { url, method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body: 'a,b', body_type: 'Text' }
    ],
    [
      `curl ${url} -F name=Ann -F 'note="a;b";type=text/plain' --form-string x=@y`,
      { url, method: 'POST', body: { name: 'Ann', note: 'a;b', x: '@y' }, body_type: 'Multipart' }
    ],
    [
      `curl --proto '=https' --tlsv1.2 --noproxy '*' -z 2020 -C - -y 3 -Y 4 --socks5 h:1 --etag-save e --rate 2/s ${url}`,
      { url }
    ],
    [
      `curl --request=PUT --header='X-A: b=c' --url-query=a=b --compressed=x --url=${url} > out.json 2>&1`,
      { url, method: 'PUT', headers: { 'X-A': 'b=c' }, query: { a: 'b' }, body_type: 'None' }
    ],
    [`curl -r 0-99 ${url}`, { url, headers: { Range: 'bytes=0-99' } }],
    [`curl --data-binary @a.png ${url}`, { url, method: 'POST', body_type: 'None' }],
    [`curl ${url} -d @- <<EOF\n{"a":1}\nEOF`, { url, method: 'POST', body: { a: 1 }, body_type: 'JSON' }],
    [`curl ${url} --next -d a=1 https://other.example`, { url }],
    [
      `curl ${url} -H 'X-A: {1}' -H 'Accept:' -H 'Host: x' -A me -e https://a.example/`,
      { url, headers: { 'X-A': '{{1}}', 'User-Agent': 'me', Referer: 'https://a.example/' } }
    ]
  ]
  for (const [command, expected] of rows) {
    it(`becomes the fields of a node: ${command.replaceAll(url, 'URL')}`, () => {
      const { body, ...fields } = fieldsOf(command)
      const { body: expectedBody, ...others } = expected
      assert.deepEqual(fields, others)
      if (expectedBody !== undefined) assert.deepEqual(body, expectedBody)
    })
  }

  it('keeps time and attempts', () => {
    const { timeoutMs, attempts } = read(`curl -m 2.5 --retry 3 ${url}`)
    assert.deepEqual([timeoutMs, attempts], [2500, 4])
  })

  it('says what it leaves out', () => {
    const { notices } = read(
      `curl -k -x http://proxy ${url} -d @order.json -F file=@a.png https://other.example`
    )
    assert.deepEqual(
      notices.map((notice) => notice.slice(0, 30)),
      [
        '-k was left out: certificates ',
        '-x was left out: it is about t',
        'The file of -d was left out: i',
        'The file of "file" was left ou',
        'Only the first address was tak'
      ]
    )
    const [typed, ...others] = read(
      `curl ${url} -F 'order={"a":1};type=application/json' -F 'note=x;type=text/plain'`
    ).notices
    assert.deepEqual(others, [])
    assert.match(typed!, /^That "order" is application\/json was left out: /)
    assert.deepEqual(read(`curl ${url} --next https://other.example`).notices, [
      'Only the first request was taken: others follow --next.'
    ])
    assert.deepEqual(read(`curl --socks5 a:1 --noproxy b ${url} -o c`).notices, [
      '--socks5 was left out: it is about the machine that the command ran on.',
      '--noproxy was left out: it is about the machine that the command ran on.'
    ])
  })

  it('is refused where it is none', () => {
    assert.match(readCurl('wget https://shop.example').message ?? '', /not a curl command/)
    assert.match(readCurl('curl -s').message ?? '', /names no address/)
    assert.match(readCurl('curl ftp://shop.example').message ?? '', /names no address/)
  })
})

describe('secrets of a curl command', () => {
  const secret = 'hunter2:hunter2'
  const rows: [options: string, signIn: unknown][] = [
    [`-H 'Authorization: Bearer ${secret}'`, { auth: 'bearer', token: secret }],
    [`-H 'authorization: Basic ${btoa(`ann:${secret}`)}'`, { auth: 'basic', user: 'ann', password: secret }],
    [`-u ann:${secret}`, { auth: 'basic', user: 'ann', password: secret }],
    [`--oauth2-bearer ${secret}`, { auth: 'bearer', token: secret }],
    [`-H 'X-Api-Key: ${secret}'`, { auth: 'header', header: 'X-Api-Key', value: secret }],
    [
      `-H 'Authorization: Token ${secret}'`,
      { auth: 'header', header: 'Authorization', value: `Token ${secret}` }
    ],
    [`-b 'sid=${secret}'`, undefined],
    [`--digest -u ann:${secret}`, undefined],
    [`--aws-sigv4 aws:amz:eu:s3 -u ann:${secret}`, undefined],
    [`-G -d api_key=${secret}`, undefined]
  ]
  for (const [options, expected] of rows) {
    it(`stay out of the flow, for a connection: ${options.replace(secret, '…')}`, () => {
      const reading = readCurl(`curl ${url} ${options}`)
      assert.ok(reading.message === undefined)
      const signIn = curlSignIn(reading.request)
      const { base_url, ...rest } = { ...signIn?.settings, ...signIn?.secrets } as Record<string, string>
      assert.deepEqual(signIn === undefined ? undefined : rest, expected)
      if (signIn !== undefined) assert.equal(base_url, 'https://shop.example')
      const text = JSON.stringify(curlFields(reading.request))
      assert.ok(!text.includes(secret) && !text.includes(btoa(`ann:${secret}`)), text)
    })
  }

  it('are known by the names that APIs give their keys, and counts of tokens are none', () => {
    const keys = ['Ocp-Apim-Subscription-Key', 'X-Auth-Key', 'DD-APPLICATION-KEY', 'x-functions-key', 'key']
    for (const name of keys) {
      const reading = readCurl(`curl '${url}?${name}=${secret}' -H '${name}: ${secret}'`)
      assert.ok(reading.message === undefined)
      assert.ok(!JSON.stringify(curlFields(reading.request).fields).includes(secret), name)
      assert.equal(curlSignIn(reading.request)?.settings.header, name)
    }
    const open = { max_tokens: '5', pageToken: 'a', 'Idempotency-Key': 'b' }
    const { fields, notices } = read(`curl '${url}?${new URLSearchParams(open)}'`)
    assert.deepEqual([fields.query, notices], [open, []])
  })

  it('are told where the command signs in by them as no connection does', () => {
    assert.deepEqual(read(`curl --digest -u a:b ${url}`).notices, [
      '--digest was left out: no connection signs in that way.'
    ])
  })

  it('are told where a body holds them, which no connection sends', () => {
    const told = [
      'What looks like a secret stands in the body, for all who may read the flow: client_secret.'
    ]
    for (const options of [
      '-d grant_type=a -d client_secret=b',
      '-F client_secret=b',
      `--json '{"max_tokens":"5","a":[{"client_secret":"b"}]}'`
    ])
      assert.deepEqual(read(`curl ${url} ${options}`).notices, told, options)
  })

  it('stay out of the flow where the address holds them', () => {
    const reading = readCurl('curl https://ann:p%40ss@shop.example/')
    assert.ok(reading.message === undefined)
    assert.equal(curlFields(reading.request).fields.url, 'https://shop.example/')
    const { settings, secrets } = curlSignIn(reading.request)!
    assert.deepEqual([settings.user, secrets.password], ['ann', 'p@ss'])
  })
})

describe('filling a node by a curl command', () => {
  it('sets what the command says, and nothing is left of what was there', () => {
    const before = node('api-request-1', {
      fields: { url: 'https://old.example', method: 'PUT', body: 'old', max_bytes: 5 },
      retry: { attempts: 1, backoff_ms: 7 }
    })
    const curl = read(`curl --retry 2 -m 3 '${url}?a=1' -H 'X-A: b'`)
    const flow = applyCommand(flowOf([before]), fillByCurl(before, curl, 'shop'))
    const { fields, ...members } = flow.nodes[0]!
    assert.deepEqual(fields, {
      url,
      query: { a: '1' },
      headers: { 'X-A': 'b' },
      connection: 'shop',
      max_bytes: 5
    })
    const { id, type, position } = before
    const retry = { attempts: 3, backoff_ms: 7 }
    assert.deepEqual(members, { id, type, position, retry, timeout_ms: 3000 })
  })
})
