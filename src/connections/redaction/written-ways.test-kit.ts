/** A secret as somebody may say it again, by what the way of writing it is called. */
export function waysToWrite(secret: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(secret, 'utf8')
  const each = (letters: Iterable<string>, write: (letter: string, index: number) => string) =>
    [...letters].map(write).join('')
  const latin1 = bytes.toString('latin1')
  const hex = (letter: string, digits: number) => letter.charCodeAt(0).toString(16).padStart(digits, '0')
  const json = JSON.stringify(secret).slice(1, -1)
  const percent = each(latin1, (letter) => `%${hex(letter, 2)}`)
  const html = each(secret, (letter) => `&#${letter.charCodeAt(0)};`)
  return {
    plain: secret,
    'upper case': secret.toUpperCase(),
    'lower case': secret.toLowerCase(),
    'of a URL': encodeURIComponent(secret),
    'of a form': new URLSearchParams([['', secret]]).toString().slice(1),
    percent,
    'percent, large': percent.toUpperCase(),
    'percent, in part': each(latin1, (letter, index) => (index % 3 === 1 ? `%${hex(letter, 2)}` : letter)),
    'percent, twice': percent.replaceAll('%', '%25'),
    JSON: json,
    'JSON, slashes': json.replaceAll('/', '\\/'),
    'JSON, all': each(secret, (letter) => `\\u${hex(letter, 4)}`),
    'JSON, all, large': each(secret, (letter) => `\\u${hex(letter, 4).toUpperCase()}`),
    'JSON, one': `\\u${hex(secret, 4)}${json.slice(json.startsWith('\\') ? 2 : 1)}`,
    'JSON in JSON': JSON.stringify(each(secret, (letter) => `\\u${hex(letter, 4)}`)).slice(1, -1),
    JavaScript: each(latin1, (letter) => `\\x${hex(letter, 2)}`),
    HTML: html,
    'HTML, hexadecimal': each(secret, (letter) => `&#x${hex(letter, 2)};`),
    'HTML, hexadecimal, large': each(secret, (letter) => `&#X00${hex(letter, 2).toUpperCase()};`),
    'HTML, names': secret
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('/', '&sol;')
      .replaceAll('+', '&plus;'),
    'HTML, twice': html.replaceAll('&', '&amp;'),
    hexadecimal: bytes.toString('hex'),
    'hexadecimal, large': bytes.toString('hex').toUpperCase(),
    'hexadecimal of UTF-16': Buffer.from(secret, 'utf16le').toString('hex'),
    'UTF-16': Buffer.from(secret, 'utf16le').toString('latin1'),
    ...base64Ways(bytes, 'base64'),
    ...base64Ways(Buffer.from(secret, 'utf16le'), 'base64 of UTF-16')
  }
}

function base64Ways(bytes: Buffer, name: string): Record<string, string> {
  const ways: Record<string, string> = { [name]: bytes.toString('base64') }
  for (const before of [0, 1, 2]) {
    const around = Buffer.concat([Buffer.alloc(before, 'x'), bytes, Buffer.from('yz')])
    ways[`${name} after ${before}`] = around.toString('base64')
    ways[`${name} for URLs after ${before}`] = around.toString('base64url')
    ways[`${name} in a URL after ${before}`] = encodeURIComponent(around.toString('base64'))
  }
  return ways
}
