// Source maps of lines alone: a stack trace names no more of a source that is not there, and the place of every word takes three
// times as much (2.4 MB of the package).

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]))

/** Of each line the places at which another line of the source begins. Names are left out: nothing reads them. */
export function linesOnly(map) {
  return { ...map, names: [], mappings: mappingsOfLines(map.mappings) }
}

function mappingsOfLines(mappings) {
  // Each number is told as what it is more than the one before: of those that are kept, too.
  const at = [0, 0, 0]
  let kept = [0, 0, 0]
  const lines = mappings.split(';').map((text) => {
    const segments = []
    let [generated, from] = [0, 0]
    for (const segment of text === '' ? [] : text.split(',')) {
      const [columns, ...deltas] = decode(segment)
      generated += columns
      if (deltas.length === 0) continue
      for (let part = 0; part < 3; part++) at[part] += deltas[part]
      if (segments.length > 0 && at[0] === kept[0] && at[1] === kept[1]) continue
      segments.push(encode([generated - from, ...at.map((value, part) => value - kept[part])]))
      from = generated
      kept = [...at]
    }
    return segments.join(',')
  })
  return lines.join(';')
}

/** Numbers in base64, five bits a digit, the sign in the lowest one. */
function decode(segment) {
  const numbers = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = VALUES.get(digit)
    value += (bits & 31) * 2 ** shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

function encode(numbers) {
  return numbers.map(encodeNumber).join('')
}

function encodeNumber(number) {
  let rest = Math.abs(number) * 2 + (number < 0 ? 1 : 0)
  let text = ''
  do {
    const bits = rest % 32
    rest = Math.floor(rest / 32)
    text += DIGITS[rest > 0 ? bits + 32 : bits]
  } while (rest > 0)
  return text
}
