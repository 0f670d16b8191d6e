/** What is looked for: a secret, or a part of it, as one encoding of the whole would write it. */
export interface Needle {
  readonly text: string
  /** Where it stands in base64 decides which letters it has; those at its ends hold bits of its neighbours. */
  readonly hasLooseEnds: boolean
}

/** Too short to be told from ordinary text: redacting it would tear holes into everything. */
const SHORTEST = 4

/** What a short secret looks like in hexadecimal, or in the middle of base64, is found in other data too. */
const SHORTEST_DERIVED = 8

/** A longer secret is looked for piece by piece, so that little has to be held back of what comes as a stream. */
const LONGEST_PIECE = 96
const PIECE = 64
/** Shorter lines of a secret of several lines, such as those at the end of a PEM file, say little. */
const SHORTEST_LINE = 12

/** A secret in all encodings that write it whole. Those that write letter by letter are undone before it is looked for. */
export function needlesOf(secret: string): Needle[] {
  if (secret.length < SHORTEST) return []
  return piecesOf(secret).flatMap(needlesOfPiece)
}

function piecesOf(secret: string): string[] {
  const lines = /[\r\n]/.test(secret) ? secret.split(/[\r\n]+/).map((line) => line.trim()) : [secret]
  const said = lines.length === 1 ? lines : lines.filter(({ length }) => length >= SHORTEST_LINE)
  const isShort = secret.length <= LONGEST_PIECE
  const pieces = said.filter((line) => !isMarker(line)).flatMap(cut)
  return isShort ? [secret, ...pieces] : pieces
}

/** The first and the last line of a PEM file are the same in all of them. */
function isMarker(line: string): boolean {
  return /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/.test(line)
}

function cut(line: string): string[] {
  if (line.length <= LONGEST_PIECE) return [line]
  const pieces: string[] = []
  let from = 0
  for (; line.length - from > LONGEST_PIECE; from += PIECE) pieces.push(line.slice(from, from + PIECE))
  pieces.push(line.slice(from))
  return pieces
}

function needlesOfPiece(piece: string): Needle[] {
  const utf8 = Buffer.from(piece, 'utf8')
  const little = Buffer.from(piece, 'utf16le')
  const big = Buffer.from(little).swap16()
  const whole = [
    piece,
    // As bytes, which is also what percent signs write.
    utf8.toString('latin1'),
    piece.replaceAll(' ', '+'),
    utf8.toString('latin1').replaceAll(' ', '+'),
    piece.toUpperCase(),
    piece.toLowerCase(),
    ...base64Of(utf8.toString('base64'))
  ].filter(({ length }) => length >= SHORTEST)
  const derived = [
    // Also in the other order of bytes: the letters of most secrets have a zero between them in both.
    little.toString('latin1').replace(/\0$/, ''),
    big.toString('latin1'),
    utf8.toString('hex'),
    little.toString('hex'),
    big.toString('hex'),
    ...[':', ' '].map((between) => [...utf8].map((byte) => byte.toString(16).padStart(2, '0')).join(between))
  ].filter(({ length }) => length >= SHORTEST_DERIVED)
  return [
    ...[...whole, ...derived].map((text) => ({ text, hasLooseEnds: false })),
    ...[utf8, little, big].flatMap(middlesInBase64),
    // Base64 within base64, as configurations of Docker and Kubernetes have it.
    ...middlesInBase64(utf8).flatMap(({ text }) => middlesInBase64(Buffer.from(text, 'latin1')))
  ]
}

/** What base64 is sure to hold of these bytes, wherever they begin in it. */
function middlesInBase64(bytes: Buffer): Needle[] {
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    const sure = all.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6))
    return base64Of(sure)
      .filter(({ length }) => length >= SHORTEST_DERIVED)
      .map((text) => ({ text, hasLooseEnds: true }))
  })
}

/** With and without padding, in both alphabets. */
function base64Of(text: string): string[] {
  const bare = text.replace(/=+$/, '')
  return [text, bare, bare.replaceAll('+', '-').replaceAll('/', '_')]
}
